"""``python -m skcostci``."""

import signal
import sys
from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line; whoever interrupts it sees no traceback, and what was half written goes."""
    try:
        from skcostci.cli import main as run

        run(arguments)
    except KeyboardInterrupt:
        sys.exit(130)  # as shells report what the signal of Ctrl-C has ended


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)  # until here nothing had to be cleared away
    main()

"""``python -m skcostci``."""

import signal
import sys
from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line; an interruption shows no traceback, and half-written files are removed."""
    try:
        from skcostci.cli import main as run

        run(arguments)
    except KeyboardInterrupt:
        sys.exit(130)  # the exit status of a program ended by Ctrl-C in shells


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)  # until here there is nothing to clean up
    main()

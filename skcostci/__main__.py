"""``python -m skcostci``."""

import sys
from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line; whoever interrupts it, even while it is loading, sees no traceback."""
    try:
        from skcostci.cli import main as run

        run(arguments)
    except KeyboardInterrupt:
        sys.exit(130)  # as shells report what the signal of Ctrl-C has ended


if __name__ == "__main__":
    main()

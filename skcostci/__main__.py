"""``python -m skcostci``."""

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
    main()

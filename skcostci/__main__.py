"""``python -m skcostci``."""

from skcostci.cli._main import main

if __name__ == "__main__":
    main()

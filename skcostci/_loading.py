"""Ctrl-C while ``python -m skcostci`` is loading, which takes a second: the program ends without a traceback.

Python loads the package before the command line, which then handles Ctrl-C itself. Imports of the package are not
affected.
"""

import signal
import sys

LOADING = "-m"  # Python's name for the program until it has found the module

if sys.argv[:1] == [LOADING] and sys.orig_argv[-len(sys.argv)].removeprefix(LOADING) == "skcostci":
    signal.signal(signal.SIGINT, signal.SIG_DFL)

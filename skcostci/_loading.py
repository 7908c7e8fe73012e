"""Ctrl-C while ``python -m skcostci`` is loading, which takes a second: it ends without a traceback, as programs do.

Python loads the package before the command line, which takes over from there; whoever imports the package sees nothing
of this.
"""

import signal
import sys

LOADING = "-m"  # what Python calls the program until it has found it

if sys.argv[:1] == [LOADING] and sys.orig_argv[-len(sys.argv)].removeprefix(LOADING) == "skcostci":
    signal.signal(signal.SIGINT, signal.SIG_DFL)

"""Importing this lets the scripts of this folder use what lies in benchmarks/, whose folder Python does not look in."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1]))

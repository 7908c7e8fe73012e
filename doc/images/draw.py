"""Draw the picture of the README: a panel of what ``python -m skcostci demo`` draws."""

import io
import re
from base64 import b64decode
from pathlib import Path

from PIL import Image

from skcostci.cli import _demo_report

if __name__ == "__main__":
    roc, *_ = re.findall(r"base64,([^\"]+)", _demo_report().to_html())
    picture = Image.open(io.BytesIO(b64decode(roc))).convert("RGB")
    picture.thumbnail((640, 640), Image.Resampling.LANCZOS)
    picture.quantize(64, dither=Image.Dither.NONE).save(Path(__file__).with_name("roc.png"), optimize=True)

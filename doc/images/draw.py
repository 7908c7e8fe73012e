"""Draw the picture of the README: a panel of what ``python -m skcostci demo`` draws."""

import io
from pathlib import Path

from PIL import Image

from skcostci.cli import _demo_models
from skcostci.reports._inquiry import Inquiry, Origin, ReportOptions
from skcostci.reports._report import report_on
from skcostci.reports._text import drawn_panels

if __name__ == "__main__":
    cases, models = _demo_models()
    origin = Origin("Held-out half", "diagnosis", "python -m skcostci demo")
    asked = Inquiry(origin, cases, models, ReportOptions(("roc_auc", "cost"), prevalence=0.1, cost_fn=5))
    (_, roc), *_ = drawn_panels(report_on(asked))
    picture = Image.open(io.BytesIO(roc)).convert("RGB")
    picture.thumbnail((640, 640), Image.Resampling.LANCZOS)
    picture.quantize(64, dither=Image.Dither.NONE).save(Path(__file__).with_name("roc.png"), optimize=True)

"""A model without weights, whose inputs choose what it returns."""

import tempfile
import time
from typing import Any, Optional

from cog import BasePredictor, Input, Path


class Predictor(BasePredictor):
    def predict(
        self,
        prompt: str,
        width: int = Input(default=64, ge=16),
        output: str = "file",
        seconds: float = 0,
        image: Optional[Path] = None,
    ) -> Any:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            # Short pauses, because a cancellation interrupts none.
            time.sleep(0.01)
        if prompt == "raise":
            raise ValueError("told to fail")
        if prompt == "nsfw":
            raise Exception("NSFW content detected. Try a different prompt.")
        path = Path(tempfile.mkdtemp()) / "output.txt"
        path.write_text(f"{prompt} {width} {image.read_text() if image else ''}".strip())
        return {
            "file": path,
            "files": [path, path],
            "nested": {"image": path, "seed": 5},
            "text": "some text",
            "pieces": ["some ", "text"],
            "json": {"seed": 5},
            "url": "http://127.0.0.1:9/output.png",
            "nothing": None,
        }[output]

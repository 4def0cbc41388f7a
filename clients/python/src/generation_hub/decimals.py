"""Amounts as decimal strings, so that nobody adds them up as floats."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any, Union

MONEY_MEMBERS = frozenset(
    {
        "estimated_cost",
        "billed",
        "billed_cost",
        "reserved_cost",
        "balance",
        "available",
        "required",
        "total_billed",
        "price_usd",
        "next_price_usd",
        "input_cost_per_million",
        "cached_input_cost_per_million",
        "cache_write_cost_per_million",
        "cache_write_long_cost_per_million",
        "audio_input_cost_per_million",
        "image_input_cost_per_million",
        "output_cost_per_million",
        "reasoning_cost_per_million",
        "audio_output_cost_per_million",
        "gpu_price_per_second",
        "cost",
        "spend_limit",
        "spent",
        "amount",
        "tax",
        "threshold",
    }
)
"""Members whose numbers are amounts or prices."""

OPAQUE_MEMBERS = frozenset({"input", "parameters", "parameters_schema", "match", "choices"})
"""Members whose content customers or catalogues define, so that names inside have no meaning here."""


def parse_json(text: Union[str, bytes]) -> Any:
    """Parses JSON, with amounts as exact strings such as ``"0.0092"``."""
    return _with_decimals(json.loads(text, parse_float=_Amount), False)


class _Amount(float):
    """A float that remembers how it was written."""

    text: str

    def __new__(cls, text: str) -> "_Amount":
        amount = super().__new__(cls, text)
        amount.text = text
        return amount


def _with_decimals(value: Any, is_opaque: bool) -> Any:
    if isinstance(value, list):
        return [_with_decimals(member, is_opaque) for member in value]
    if isinstance(value, dict):
        return {
            name: _format(member)
            if name in MONEY_MEMBERS and not is_opaque and _is_number(member)
            else _with_decimals(member, is_opaque or name in OPAQUE_MEMBERS)
            for name, member in value.items()
        }
    return float(value) if isinstance(value, _Amount) else value


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _format(value: Union[int, float]) -> str:
    return format(Decimal(value.text if isinstance(value, _Amount) else value), "f")

"""Verification of webhooks."""

from __future__ import annotations

import hashlib
import hmac
from typing import Mapping, Union, cast

from .api_types import Envelope
from .decimals import parse_json
from .errors import WebhookVerificationError

# After a rotation the hub signs with the previous secret as well, for a day.
_HEADERS = ("x-service-signature", "x-service-signature-previous")


def verify_webhook(secret: str, headers: Mapping[str, str], body: Union[bytes, str]) -> Envelope:
    """Returns the event of a webhook after checking that the hub signed it.

    ``secret`` is ``whsec_…``, and ``body`` the raw body: parsing and printing it again changes its bytes. Raises
    WebhookVerificationError. Deliveries can arrive twice: store ``event["id"]``, and skip what you have processed.
    """
    if not secret:
        raise WebhookVerificationError("The secret is empty")
    raw = body.encode() if isinstance(body, str) else body
    expected = "sha256=" + hmac.new(secret.encode(), raw, hashlib.sha256).hexdigest()
    given = [value for name, value in headers.items() if name.lower() in _HEADERS]
    matches = [hmac.compare_digest(value.encode(), expected.encode()) for value in given]
    if not any(matches):
        raise WebhookVerificationError("The request is not signed with this secret")
    try:
        return cast(Envelope, parse_json(raw))
    except ValueError as cause:
        raise WebhookVerificationError("The body is signed, but is not JSON") from cause

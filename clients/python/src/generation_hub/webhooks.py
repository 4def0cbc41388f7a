"""Verification of webhooks."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import time
from typing import Mapping, Union, cast

from .api_types import Envelope
from .decimals import parse_json
from .errors import WebhookVerificationError


def verify_webhook(
    secret: str, headers: Mapping[str, str], body: Union[bytes, str], *, tolerance: float = 300.0
) -> Envelope:
    """Returns the event of a webhook after checking that the hub signed it, and when.

    ``secret`` is ``whsec_…``, and ``body`` the raw body: parsing and printing it again changes its bytes. The request may
    be ``tolerance`` seconds older or newer than now, because an older one may be a replay. Raises
    WebhookVerificationError. The headers of Standard Webhooks are read: ``X-Service-Signature`` does not sign the time.
    Deliveries can arrive twice: store ``event["id"]``, and skip what you have processed.
    """
    raw = body.encode() if isinstance(body, str) else bytes(body)
    given = {name.lower(): value for name, value in headers.items()}
    message_id, timestamp, signatures = (given.get(f"webhook-{name}", "") for name in ("id", "timestamp", "signature"))
    if not message_id or not timestamp or not signatures:
        raise WebhookVerificationError("The request lacks webhook-id, webhook-timestamp or webhook-signature")
    digest = hmac.new(_decode_secret(secret), f"{message_id}.{timestamp}.".encode() + raw, hashlib.sha256).digest()
    expected = b"v1," + base64.b64encode(digest)
    # After a rotation the hub signs with the previous secret as well, for a day.
    if not any([hmac.compare_digest(one.encode(), expected) for one in signatures.split(" ")]):
        raise WebhookVerificationError("The request is not signed with this secret")
    if not timestamp.isdecimal() or abs(time.time() - int(timestamp)) > tolerance:
        raise WebhookVerificationError("The request was not signed lately: it may be a replay, or a clock is wrong")
    try:
        return cast(Envelope, parse_json(raw))
    except ValueError as cause:
        raise WebhookVerificationError("The body is signed, but is not JSON") from cause


def _decode_secret(secret: str) -> bytes:
    try:
        key = base64.b64decode(secret.removeprefix("whsec_"), validate=True)
    except binascii.Error as cause:
        raise WebhookVerificationError("The secret is not whsec_ and base64") from cause
    if not key:
        raise WebhookVerificationError("The secret is empty")
    return key

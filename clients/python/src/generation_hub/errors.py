"""What this client raises."""

from __future__ import annotations

import email.utils
import time
from typing import Any, Dict, List, Mapping, Optional

from .api_types import Generation


class HubError(Exception):
    """Anything that this client raises."""


class ConnectionFailedError(HubError):
    """The hub could not be reached, or its response was cut off."""


class WaitTimeoutError(HubError):
    """A wait was longer than its ``timeout``. The generation goes on; ``generation`` is its last known state, None for a batch."""

    def __init__(self, message: str, generation: Optional[Generation] = None) -> None:
        super().__init__(message)
        self.generation = generation


class GenerationFailedError(HubError):
    """A generation ended as ``failed`` or ``canceled``."""

    def __init__(self, generation: Generation) -> None:
        error = generation["error"]
        super().__init__(error["message"] if error else f"The generation was {generation['status']}")
        self.generation = generation
        self.retryable = bool(error and error["retryable"])
        """Whether the same request may succeed later."""


class WebhookVerificationError(HubError):
    """A webhook that the hub did not sign with this secret."""


class ApiError(HubError):
    """The hub answered with an error; ``code`` says which."""

    def __init__(self, status: int, problem: Dict[str, Any], headers: Mapping[str, str]) -> None:
        self.status = status
        self.problem = problem
        self.code: str = problem.get("code") or "unknown"
        self.errors: Dict[str, List[str]] = problem.get("errors") or {}
        """Messages by the place of the error, such as ``input.prompt``."""
        self.request_id = headers.get("x-request-id")
        """The id of the request in the hub's logs."""
        self.retry_after = parse_retry_after(headers)
        """Seconds that the hub asks to wait before a retry."""
        super().__init__(problem.get("detail") or problem.get("title") or f"HTTP {status}")


class InvalidInputError(ApiError):
    """400: the request is invalid; ``errors`` names each place."""


class UnauthorizedError(ApiError):
    """401: the API key is missing, wrong, expired or revoked."""


class InsufficientCreditsError(ApiError):
    """402: the balance or the key's spend limit does not cover the estimate."""

    @property
    def required(self) -> Optional[str]:
        """What the request needs, in EUR."""
        return self.problem.get("required")

    @property
    def available(self) -> Optional[str]:
        """What is available, in EUR."""
        return self.problem.get("available")


class NotFoundError(ApiError):
    """404: there is no such object in this account."""


class ConflictError(ApiError):
    """409: the idempotency key belongs to another request, or the object's state does not allow this."""


class RateLimitedError(ApiError):
    """429: too many requests; ``retry_after`` says when to go on."""


_CLASSES = {
    400: InvalidInputError,
    401: UnauthorizedError,
    402: InsufficientCreditsError,
    404: NotFoundError,
    409: ConflictError,
    429: RateLimitedError,
}


def create_api_error(status: int, body: Any, headers: Mapping[str, str]) -> ApiError:
    """Returns the error of a response: of a problem, or of the envelope that chats answer with."""
    problem: Dict[str, Any] = body if isinstance(body, dict) else {}
    envelope = problem.get("error")
    if "code" not in problem and isinstance(envelope, dict):
        metadata = envelope.get("metadata")
        members = metadata if isinstance(metadata, dict) else {}
        problem = {**problem, **members, **envelope, "detail": envelope.get("message")}
    return _CLASSES.get(status, ApiError)(status, problem, headers)


def parse_retry_after(headers: Mapping[str, str]) -> Optional[float]:
    """Returns the seconds that ``Retry-After`` asks for, given in seconds or as a date."""
    value = headers.get("retry-after", "").strip()
    if not value:
        return None
    try:
        return max(0.0, float(value))
    except ValueError:
        pass
    try:
        return max(0.0, email.utils.parsedate_to_datetime(value).timestamp() - time.time())
    except ValueError:
        return None

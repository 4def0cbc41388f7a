"""The Python client of Generation Hub."""

from .api_types import (
    Account,
    Batch,
    BatchPage,
    ChatCompletion,
    Envelope,
    File,
    Generation,
    GenerationPage,
    Model,
    Output,
    UsagePage,
)
from .async_client import AsyncGenerationHub
from .chat_stream import ChatChunk
from .client import GenerationHub
from .errors import (
    ApiError,
    ConflictError,
    ConnectionFailedError,
    GenerationFailedError,
    HubError,
    InsufficientCreditsError,
    InvalidInputError,
    NotFoundError,
    RateLimitedError,
    UnauthorizedError,
    WaitTimeoutError,
    WebhookVerificationError,
)
from .webhooks import verify_webhook

__all__ = [
    "Account",
    "ApiError",
    "AsyncGenerationHub",
    "Batch",
    "BatchPage",
    "ChatChunk",
    "ChatCompletion",
    "ConflictError",
    "ConnectionFailedError",
    "Envelope",
    "File",
    "Generation",
    "GenerationFailedError",
    "GenerationHub",
    "GenerationPage",
    "HubError",
    "InsufficientCreditsError",
    "InvalidInputError",
    "Model",
    "NotFoundError",
    "Output",
    "RateLimitedError",
    "UnauthorizedError",
    "UsagePage",
    "WaitTimeoutError",
    "WebhookVerificationError",
    "verify_webhook",
]

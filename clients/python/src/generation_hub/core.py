"""What both clients do, without input and output of its own.

Each function is a generator that yields steps: a request to send, a time to sleep, a generation to show. The clients
carry the steps out, one with blocking calls, the other with awaited ones.
"""

from __future__ import annotations

import random
import re
import time
import uuid
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Callable, Dict, Generator, List, Optional, Tuple, Union, cast
from urllib.parse import quote

import httpx

from .api_types import Batch, ChatCompletion, File, Generation
from .decimals import parse_json
from .errors import (
    ApiError,
    ConnectionFailedError,
    GenerationFailedError,
    WaitTimeoutError,
    create_api_error,
)

Content = Union[bytes, bytearray, Path]
"""A content to upload: bytes, or the path of a file."""

DEFAULT_TIMEOUT = 60.0
CHAT_TIMEOUT = 600.0
_RETRIED_STATUSES = {408, 429, 500, 502, 503, 504}
_MAX_BACKOFF = 8.0
_FIRST_INTERVAL = 0.25
_MAX_INTERVAL = 5.0
_FILE_PATH = re.compile(r"/api/v1/hub/files/([^/?#]+)")


@dataclass(frozen=True)
class Settings:
    base_url: str
    api_key: str = field(repr=False)
    max_retries: int
    max_retry_delay: float
    timeout: Optional[float]


@dataclass(frozen=True)
class Request:
    method: str
    path: str
    json: Any = None
    params: Optional[Dict[str, Any]] = None
    files: Optional[Dict[str, Tuple[str, bytes]]] = None
    idempotency_key: Optional[str] = None
    wait: Optional[int] = None
    timeout: float = DEFAULT_TIMEOUT
    is_repeatable: bool = True
    waits_in_progress: bool = False
    is_streamed: bool = False


@dataclass(frozen=True)
class Sleep:
    seconds: float


@dataclass(frozen=True)
class Show:
    generation: Generation


# Longer models are polled, so that a lost connection costs little.
MAX_FIRST_WAIT = 10.0

Steps = Generator[Union[Request, Sleep, Show], Any, Any]
OnProgress = Optional[Callable[[Generation], None]]


def create_settings(
    base_url: str, api_key: str, max_retries: int, max_retry_delay: float, timeout: Optional[float]
) -> Settings:
    if not re.match(r"https?://", base_url):
        raise ValueError("base_url must be an http(s) URL")
    if not api_key:
        raise ValueError("api_key is missing")
    return Settings(base_url.rstrip("/"), api_key, max_retries, max_retry_delay, timeout)


def build_request(settings: Settings, client: Any, request: Request) -> httpx.Request:
    """Returns the request as httpx sends it; ``client`` is either of its clients."""
    headers = {"Authorization": f"Bearer {settings.api_key}"}
    if request.idempotency_key is not None:
        headers["Idempotency-Key"] = request.idempotency_key
    if request.wait is not None:
        headers["Prefer"] = f"wait={request.wait}"
    return cast(
        httpx.Request,
        client.build_request(
            request.method,
            f"{settings.base_url}{request.path}",
            json=request.json,
            params=request.params,
            files=request.files,
            headers=headers,
            timeout=settings.timeout or request.timeout,
        ),
    )


def send(settings: Settings, request: Request) -> Steps:
    """Sends a request until it succeeds or fails for good, and returns the response."""
    retry = 0
    while True:
        result = yield request
        if isinstance(result, httpx.Response) and result.is_success:
            return result
        error = _to_error(request, result)
        if isinstance(error, ApiError) and error.code == "generation_in_progress":
            # The work goes on, so these waits are not failed attempts.
            if not request.waits_in_progress:
                raise error
            yield Sleep(min(1.0 if error.retry_after is None else error.retry_after, settings.max_retry_delay))
            continue
        wait = error.retry_after if isinstance(error, ApiError) else None
        is_final = retry >= settings.max_retries or not request.is_repeatable or not _is_transient(result)
        if is_final or (wait or 0) > settings.max_retry_delay:
            raise error
        yield Sleep(_backoff(retry) if wait is None else wait)
        retry += 1


def send_json(settings: Settings, request: Request) -> Steps:
    response = yield from send(settings, request)
    return None if response.status_code == 204 else parse_json(response.content)


def first_wait(settings: Settings, timeout: Optional[float], on_progress: OnProgress) -> Optional[int]:
    """Returns for how many seconds the first response may wait for the end, which saves short models every poll."""
    limits = [seconds / 2 for seconds in (timeout, settings.timeout) if seconds is not None]
    seconds = int(min([MAX_FIRST_WAIT, *limits]))
    return seconds if seconds > 0 and on_progress is None else None


def create(
    settings: Settings,
    model: str,
    input: Dict[str, Any],
    idempotency_key: Optional[str] = None,
    options: Optional[Dict[str, Any]] = None,
    wait: Optional[int] = None,
) -> Steps:
    ready = yield from _upload_contents(settings, input)
    given = {name: value for name, value in (options or {}).items() if value is not None}
    body = {"model": model, "input": ready, **given}
    key = idempotency_key or str(uuid.uuid4())
    request = Request("POST", "/api/v1/hub/generations", json=body, idempotency_key=key, wait=wait)
    try:
        return (yield from send_json(settings, request))
    except ApiError as error:
        # An earlier attempt of this call was accepted, but its response was lost.
        generation_id = error.problem.get("generation_id")
        if error.code != "generation_in_progress" or not generation_id:
            raise
    return (yield from get(settings, generation_id))


def get(settings: Settings, generation_id: str) -> Steps:
    return (yield from send_json(settings, Request("GET", generation_path(generation_id))))


def generation_path(generation_id: str, action: str = "") -> str:
    return f"/api/v1/hub/generations/{quote(generation_id, safe='')}{action}"


BATCHES = "/api/v1/hub/batches"
OnBatchProgress = Optional[Callable[[Batch], None]]


def create_batch(
    settings: Settings,
    model: str,
    inputs: List[Dict[str, Any]],
    idempotency_key: Optional[str],
    options: Dict[str, Any],
) -> Steps:
    ready = yield from _upload_contents(settings, inputs)
    given = {name: value for name, value in options.items() if value is not None}
    key = idempotency_key or str(uuid.uuid4())
    request = Request("POST", BATCHES, json={"model": model, "inputs": ready, **given}, idempotency_key=key)
    try:
        return (yield from send_json(settings, request))
    except ApiError as error:
        # An earlier attempt of this call was accepted, but its response was lost.
        batch_id = error.problem.get("batch_id")
        if error.code != "generation_in_progress" or not batch_id:
            raise
    return (yield from get_batch(settings, batch_id))


def get_batch(settings: Settings, batch_id: str) -> Steps:
    return (yield from send_json(settings, Request("GET", batch_path(batch_id))))


def batch_path(batch_id: str, action: str = "") -> str:
    return f"{BATCHES}/{quote(batch_id, safe='')}{action}"


def wait_for_batch(
    settings: Settings, batch_id: str, timeout: Optional[float], on_progress: OnBatchProgress
) -> Steps:
    """Returns a batch once all of its generations have ended, polled as a generation is."""
    ends_at = None if timeout is None else time.monotonic() + timeout
    shown, interval = None, _FIRST_INTERVAL
    while True:
        batch = yield from get_batch(settings, batch_id)
        if on_progress and batch["counts"] != shown:
            on_progress(batch)
        shown = batch["counts"]
        if batch["completed_at"] is not None:
            return batch
        left = _MAX_INTERVAL if ends_at is None else ends_at - time.monotonic()
        if left <= 0:
            raise WaitTimeoutError(f"The batch did not end within {timeout} s")
        yield Sleep(min(interval, left))
        interval = min(interval * 1.5, _MAX_INTERVAL)


def watch(settings: Settings, first: Generation, timeout: Optional[float], on_progress: OnProgress) -> Steps:
    """Shows a generation at each change, and returns it when it has succeeded."""
    ends_at = None if timeout is None else time.monotonic() + timeout
    generation, shown, interval = first, None, _FIRST_INTERVAL
    while True:
        state = (generation["status"], generation["progress"], generation["missing"])
        if state != shown:
            if on_progress:
                on_progress(generation)
            if generation["status"] in ("failed", "canceled"):
                raise GenerationFailedError(generation)
            yield Show(generation)
        shown = state
        if generation["status"] == "succeeded":
            return generation
        left = _MAX_INTERVAL if ends_at is None else ends_at - time.monotonic()
        if left <= 0:
            raise WaitTimeoutError(f"The generation did not end within {timeout} s", generation)
        yield Sleep(min(interval, left))
        interval = min(interval * 1.5, _MAX_INTERVAL)
        generation = yield from get(settings, generation["id"])


def upload(settings: Settings, content: Content, name: Optional[str] = None) -> Steps:
    data = content.read_bytes() if isinstance(content, Path) else bytes(content)
    file_name = name or (content.name if isinstance(content, Path) else "file")
    request = Request("POST", "/api/v1/hub/files", files={"file": (file_name, data)})
    return cast(File, (yield from send_json(settings, request)))


def download(settings: Settings, file: Any) -> Steps:
    """Returns the content of a file. The request goes to this hub's address, so that the key reaches no other server."""
    url = file if isinstance(file, str) else file["url"]
    found = _FILE_PATH.search(url)
    if not found:
        raise ValueError(f"{url} is not the URL of a file of the hub")
    response = yield from send(settings, Request("GET", f"/api/v1/hub/files/{found[1]}"))
    return response.content


def chat(settings: Settings, body: Dict[str, Any], idempotency_key: Optional[str]) -> Steps:
    request = Request(
        "POST",
        "/api/v1/hub/chat/completions",
        json=body,
        idempotency_key=idempotency_key or str(uuid.uuid4()),
        timeout=CHAT_TIMEOUT,
        waits_in_progress=True,
    )
    return cast(ChatCompletion, (yield from send_json(settings, request)))


def open_chat_stream(settings: Settings, body: Dict[str, Any], idempotency_key: Optional[str]) -> Steps:
    """Returns the response of a streamed chat, whose body is still to be read."""
    request = Request(
        "POST",
        "/v1/chat/completions",
        json={**body, "stream": True},
        idempotency_key=idempotency_key or str(uuid.uuid4()),
        timeout=CHAT_TIMEOUT,
        waits_in_progress=True,
        is_streamed=True,
    )
    return (yield from send(settings, request))


def _upload_contents(settings: Settings, value: Any) -> Steps:
    """Replaces each content by the hash of its upload, which is the same whenever the call is repeated."""
    if isinstance(value, (bytes, bytearray, Path)):
        file = yield from upload(settings, value)
        return f"sha256:{file['sha256']}"
    if isinstance(value, dict):
        members = {}
        for name, member in value.items():
            members[name] = yield from _upload_contents(settings, member)
        return members
    if isinstance(value, (list, tuple)):
        items = []
        for member in value:
            items.append((yield from _upload_contents(settings, member)))
        return items
    return value


def _to_error(request: Request, result: Any) -> Union[ApiError, ConnectionFailedError]:
    if not isinstance(result, httpx.Response):
        error = ConnectionFailedError(f"{request.method} {request.path}: {result or type(result).__name__}")
        error.__cause__ = result
        return error
    try:
        body = parse_json(result.content)
    except ValueError:
        # A proxy answered; its page says nothing more than the status.
        body = None
    return create_api_error(result.status_code, body, result.headers)


def _is_transient(result: Any) -> bool:
    if not isinstance(result, httpx.Response):
        return True
    return result.headers.get("x-should-retry") != "false" and result.status_code in _RETRIED_STATUSES


def _backoff(retry: int) -> float:
    return min(0.5 * 2.0**retry, _MAX_BACKOFF) * random.uniform(0.5, 1)


def list_params(filters: Dict[str, Any]) -> Dict[str, Any]:
    """Returns query parameters; booleans as the API writes them."""
    pairs = {f"metadata.{key}": value for key, value in (filters.pop("metadata", None) or {}).items()}
    given = {**{name.rstrip("_"): value for name, value in filters.items() if value is not None}, **pairs}
    return {name: str(value).lower() if isinstance(value, bool) else value for name, value in given.items()}


def request_of(method: str, path: str, body: Any, idempotency_key: Optional[str]) -> Request:
    repeatable = method.upper() in ("GET", "HEAD", "PUT", "DELETE") or idempotency_key is not None
    return replace(Request(method, path, json=body), idempotency_key=idempotency_key, is_repeatable=repeatable)

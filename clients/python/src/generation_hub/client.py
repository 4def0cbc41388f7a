"""The client with blocking calls. Generated from async_client.py by `npm run clients`."""

from __future__ import annotations

import time
from types import TracebackType
from typing import Any, Dict, Iterator, List, Optional, Type, Union, cast
from urllib.parse import quote

import httpx

from . import core
from .api_types import (
    Account,
    Batch,
    BatchPage,
    ChatCompletion,
    File,
    Generation,
    GenerationPage,
    ListedFile,
    Model,
    Output,
    UsagePage,
)
from .chat_stream import ChatChunk, ChatStreamParser
from .errors import ConnectionFailedError


class GenerationHub:
    """One hub and one API key. Amounts are decimal strings in EUR, such as ``"0.0092"``.

    ``max_retries`` is how often a request is repeated that failed for a reason that passes, ``max_retry_delay`` the longest
    wait in seconds that ``Retry-After`` may ask for, ``timeout`` the seconds that one attempt may take (60 by default, 600
    for chats). ``http_client`` is an httpx client of your own, for proxies and certificates.
    """

    def __init__(
        self,
        base_url: str,
        api_key: str,
        *,
        max_retries: int = 3,
        max_retry_delay: float = 60.0,
        timeout: Optional[float] = None,
        http_client: Optional[httpx.Client] = None,
    ) -> None:
        self._settings = core.create_settings(base_url, api_key, max_retries, max_retry_delay, timeout)
        self._http = http_client or httpx.Client(follow_redirects=True)

    def close(self) -> None:
        self._http.close()

    def __enter__(self) -> "GenerationHub":
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        traceback: Optional[TracebackType],
    ) -> None:
        self.close()

    def run(
        self,
        model: str,
        input: Dict[str, Any],
        *,
        idempotency_key: Optional[str] = None,
        batch_id: Optional[str] = None,
        metadata: Optional[Dict[str, str]] = None,
        end_user: Optional[str] = None,
        webhook: Optional[Dict[str, Any]] = None,
        priority: Optional[str] = None,
        quote: Optional[str] = None,
        timeout: Optional[float] = None,
        on_progress: core.OnProgress = None,
    ) -> Generation:
        """Creates a generation, waits for its end and returns it with its outputs. Raises GenerationFailedError."""
        options = {
            "batch_id": batch_id,
            "metadata": metadata,
            "end_user": end_user,
            "webhook": webhook,
            "priority": priority,
            "quote": quote,
        }
        first_wait = core.first_wait(self._settings, timeout, on_progress)
        generation = self._create(model, input, idempotency_key, options, first_wait)
        steps = core.watch(self._settings, generation, timeout, on_progress)
        return cast(Generation, self._complete(steps))

    def subscribe(
        self,
        model: str,
        input: Dict[str, Any],
        *,
        idempotency_key: Optional[str] = None,
        batch_id: Optional[str] = None,
        metadata: Optional[Dict[str, str]] = None,
        end_user: Optional[str] = None,
        webhook: Optional[Dict[str, Any]] = None,
        priority: Optional[str] = None,
        quote: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> Iterator[Generation]:
        """Creates a generation and yields it now and at each change, until its end. Raises GenerationFailedError."""
        options = {
            "batch_id": batch_id,
            "metadata": metadata,
            "end_user": end_user,
            "webhook": webhook,
            "priority": priority,
            "quote": quote,
        }
        generation = self._create(model, input, idempotency_key, options)
        for shown in self._perform(core.watch(self._settings, generation, timeout, None)):
            if isinstance(shown, core.Show):
                yield shown.generation

    def wait(
        self, generation_id: str, *, timeout: Optional[float] = None, on_progress: core.OnProgress = None
    ) -> Generation:
        """Waits for the end of a generation. Raises GenerationFailedError or WaitTimeoutError."""
        steps = core.watch(self._settings, self.get(generation_id), timeout, on_progress)
        return cast(Generation, self._complete(steps))

    def create(
        self,
        model: str,
        input: Dict[str, Any],
        *,
        idempotency_key: Optional[str] = None,
        batch_id: Optional[str] = None,
        metadata: Optional[Dict[str, str]] = None,
        end_user: Optional[str] = None,
        webhook: Optional[Dict[str, Any]] = None,
        priority: Optional[str] = None,
        quote: Optional[str] = None,
    ) -> Generation:
        """Creates a generation and returns it at once, mostly as ``queued``.

        Contents in the input (bytes, paths of files) are uploaded first. With an ``idempotency_key`` of an earlier call it
        returns that call's generation.
        """
        options = {
            "batch_id": batch_id,
            "metadata": metadata,
            "end_user": end_user,
            "webhook": webhook,
            "priority": priority,
            "quote": quote,
        }
        return self._create(model, input, idempotency_key, options)

    def _create(
        self,
        model: str,
        input: Dict[str, Any],
        idempotency_key: Optional[str],
        options: Dict[str, Any],
        first_wait: Optional[int] = None,
    ) -> Generation:
        steps = core.create(self._settings, model, input, idempotency_key, options, first_wait)
        return cast(Generation, self._complete(steps))

    def get(self, generation_id: str) -> Generation:
        return cast(Generation, self._complete(core.get(self._settings, generation_id)))

    def list(self, **filters: Any) -> GenerationPage:
        """Returns one page of generations, newest first; ``next_cursor`` is the ``cursor`` of the next one.

        Filters are those of the API; ``from`` is written ``from_``, and ``metadata`` is a dict.
        """
        request = core.Request("GET", "/api/v1/hub/generations", params=core.list_params(filters))
        return cast(GenerationPage, self._json(request))

    def cancel(self, generation_id: str, *, stop_running: bool = False) -> Generation:
        """Cancels a generation; with ``stop_running`` also one that runs at a provider, which may bill for it."""
        body = {"stop_running": True} if stop_running else None
        request = core.Request("POST", core.generation_path(generation_id, "/cancel"), json=body)
        return cast(Generation, self._json(request))

    def create_batch(
        self,
        model: str,
        inputs: List[Dict[str, Any]],
        *,
        idempotency_key: Optional[str] = None,
        max_cost: Optional[float] = None,
        metadata: Optional[Dict[str, str]] = None,
        end_user: Optional[str] = None,
        webhook: Optional[Dict[str, Any]] = None,
        priority: Optional[str] = None,
    ) -> Batch:
        """Starts up to 1,000 generations of one model, all or none, and returns the batch at once.

        Contents in the inputs are uploaded first. ``list(batch_id=...)`` has its generations. ``max_cost`` rejects the batch if
        its estimate in EUR is higher. With an ``idempotency_key`` of an earlier call it returns that call's batch.
        """
        options = {
            "max_cost": max_cost,
            "metadata": metadata,
            "end_user": end_user,
            "webhook": webhook,
            "priority": priority,
        }
        steps = core.create_batch(self._settings, model, inputs, idempotency_key, options)
        return cast(Batch, self._complete(steps))

    def get_batch(self, batch_id: str) -> Batch:
        return cast(Batch, self._complete(core.get_batch(self._settings, batch_id)))

    def list_batches(self, **filters: Any) -> BatchPage:
        """Returns one page of batches, newest first; ``next_cursor`` is the ``cursor`` of the next one."""
        request = core.Request("GET", core.BATCHES, params=core.list_params(filters))
        return cast(BatchPage, self._json(request))

    def cancel_batch(self, batch_id: str) -> Batch:
        """Cancels the generations of a batch that have not started; running ones continue."""
        return cast(Batch, self._json(core.Request("POST", core.batch_path(batch_id, "/cancel"))))

    def wait_for_batch(
        self, batch_id: str, *, timeout: Optional[float] = None, on_progress: core.OnBatchProgress = None
    ) -> Batch:
        """Waits until all generations of a batch have ended and returns it; ``counts`` says how. Raises WaitTimeoutError."""
        steps = core.wait_for_batch(self._settings, batch_id, timeout, on_progress)
        return cast(Batch, self._complete(steps))

    def estimate(self, model: str, input: Dict[str, Any]) -> str:
        """Returns the most that a generation with this input would cost, in EUR."""
        path = f"/api/v1/hub/models/{quote(model, safe='')}/pricing"
        return cast(str, (self._json(core.Request("POST", path, json={"input": input})))["estimated_cost"])

    def models(self) -> List[Model]:
        return cast(List[Model], (self._json(core.Request("GET", "/api/v1/hub/models")))["data"])

    def model(self, model_id: str) -> Model:
        return cast(Model, self._json(core.Request("GET", f"/api/v1/hub/models/{quote(model_id, safe='')}")))

    def account(self) -> Account:
        """Returns the account with its balance."""
        return cast(Account, self._json(core.Request("GET", "/api/v1/me")))

    def usage(self, **filters: Any) -> UsagePage:
        """Returns what was settled in a period, by its groups; ``next_cursor`` is the ``cursor`` of the next page.

        Filters are those of the API; ``from`` is written ``from_``.
        """
        request = core.Request("GET", "/api/v1/hub/usage", params=core.list_params(filters))
        return cast(UsagePage, self._json(request))

    def upload(self, content: core.Content, *, name: Optional[str] = None) -> File:
        """Uploads bytes or a file for use as an input: pass its ``url``, or ``sha256:`` and its ``sha256``."""
        return cast(File, self._complete(core.upload(self._settings, content, name)))

    def download(self, file: Union[str, Output, File, ListedFile]) -> bytes:
        """Returns the content of an output or of a file, read from this hub's address."""
        return cast(bytes, self._complete(core.download(self._settings, file)))

    def chat(self, body: Dict[str, Any], *, idempotency_key: Optional[str] = None) -> ChatCompletion:
        """Sends a chat in OpenAI's format and returns the completion; ``usage["cost"]`` is what it cost in EUR."""
        return cast(ChatCompletion, self._complete(core.chat(self._settings, body, idempotency_key)))

    def stream_chat(
        self, body: Dict[str, Any], *, idempotency_key: Optional[str] = None
    ) -> Iterator[ChatChunk]:
        """Sends a chat in OpenAI's format and yields the chunks of the answer as they come.

        The last one has ``usage``, with the cost in EUR. Closing the iterator early ends the chat, and what has been sent is
        charged. Until the first chunk the request is repeated like any other. Raises ApiError for an error after it, and
        ConnectionFailedError for a stream that breaks off: repeating the call with its ``idempotency_key`` then yields what
        was charged, without a new charge.
        """
        response = self._complete(core.open_chat_stream(self._settings, body, idempotency_key))
        parser = ChatStreamParser(response)
        try:
            for data in response.iter_bytes():
                for chunk in parser.feed(data):
                    yield chunk
        except httpx.RequestError as cause:
            raise ConnectionFailedError(f"The stream broke off: {cause or type(cause).__name__}") from cause
        finally:
            response.close()
        if not parser.is_complete:
            raise ConnectionFailedError("The stream ended before the chat did")

    def request(self, method: str, path: str, body: Any = None, *, idempotency_key: Optional[str] = None) -> Any:
        """Sends any other request of the API, such as POST /api/v1/hub/webhooks, and returns its JSON."""
        return self._json(core.request_of(method, path, body, idempotency_key))

    def _json(self, request: core.Request) -> Any:
        return self._complete(core.send_json(self._settings, request))

    def _complete(self, steps: core.Steps) -> Any:
        last = None
        for last in self._perform(steps):
            pass
        return last

    def _perform(self, steps: core.Steps) -> Iterator[Any]:
        """Carries steps out, and yields each generation to show and then the result."""
        answer: Any = None
        while True:
            try:
                step = steps.send(answer)
            except StopIteration as end:
                yield end.value
                return
            answer = None
            if isinstance(step, core.Show):
                yield step
            elif isinstance(step, core.Sleep):
                time.sleep(step.seconds)
            else:
                try:
                    request = core.build_request(self._settings, self._http, step)
                    answer = self._http.send(request, stream=step.is_streamed)
                    if not answer.is_success:
                        answer.read()
                except httpx.RequestError as error:
                    answer = error

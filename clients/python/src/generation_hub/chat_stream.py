"""Streamed chats, without input and output of their own."""

from __future__ import annotations

import re
from typing import Any, List, NotRequired, Optional, TypedDict, cast

import httpx

from .api_types import ChatUsage
from .decimals import parse_json
from .errors import create_api_error

_END_OF_EVENT = re.compile(rb"\r?\n\r?\n")


class ChatDelta(TypedDict):
    """What a chunk adds to the answer. Providers and models may add members."""

    role: NotRequired[str]
    content: NotRequired[Optional[str]]
    tool_calls: NotRequired[List[Any]]


class ChatChunkChoice(TypedDict):
    index: int
    delta: ChatDelta
    finish_reason: Optional[str]


class ChatChunk(TypedDict):
    """A part of a streamed answer."""

    id: str
    object: str
    created: int
    model: str
    choices: List[ChatChunkChoice]
    """Empty in the chunk of usage that ``stream_options`` asks for."""
    usage: NotRequired[Optional[ChatUsage]]
    """In the last chunk: the tokens, and what the chat cost in EUR."""


class ChatStreamParser:
    """Parses server-sent events as their bytes arrive."""

    def __init__(self, response: httpx.Response) -> None:
        self._response = response
        self._rest = b""
        self.is_complete = False
        """Whether the chat has ended as it should."""

    def feed(self, data: bytes) -> List[ChatChunk]:
        """Returns the chunks that are complete with these bytes. Raises ApiError for an error that the hub sends."""
        *events, self._rest = _END_OF_EVENT.split(self._rest + data)
        return [chunk for event in events if (chunk := self._parse(event)) is not None]

    def _parse(self, event: bytes) -> Optional[ChatChunk]:
        fields = [(name, value.removeprefix(b" ")) for name, _, value in (line.partition(b":") for line in event.splitlines())]
        data = b"\n".join(value for name, value in fields if name == b"data")
        if (b"event", b"error") in fields:
            raise create_api_error(self._response.status_code, parse_json(data), self._response.headers)
        if data == b"[DONE]":
            self.is_complete = True
        if not data or self.is_complete:
            return None
        return cast(ChatChunk, parse_json(data))

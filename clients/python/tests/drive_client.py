"""Runs in an environment in which the built wheel is installed, as a program of a customer."""

import asyncio
import os
import uuid
from pathlib import Path

import generation_hub
from generation_hub import (
    AsyncGenerationHub,
    ConflictError,
    GenerationFailedError,
    GenerationHub,
    InvalidInputError,
    NotFoundError,
    UnauthorizedError,
    WaitTimeoutError,
)

URL, KEY = os.environ["HUB_URL"], os.environ["HUB_API_KEY"]
hub = GenerationHub(URL + "/", KEY)
prompt = "a lighthouse"


def failure(kind, call, *values, **options):
    try:
        call(*values, **options)
    except kind as error:
        return error
    raise AssertionError(f"no {kind.__name__}")


assert (Path(generation_hub.__file__).parent / "py.typed").exists()
before = hub.account()
assert isinstance(before["balance"], str)
assert hub.estimate("sandbox-image", {"prompt": prompt, "resolution": "2k"}) == "0.0184"
assert any(model["id"] == "sandbox-image" for model in hub.models())
assert hub.model("sandbox-image")["pricing_tiers"][0]["price_usd"] == "0.01"

# One idempotency key: one generation, one charge.
key = str(uuid.uuid4())
first = hub.run("sandbox-image", {"prompt": "one"}, idempotency_key=key)
assert hub.run("sandbox-image", {"prompt": "one"}, idempotency_key=key)["id"] == first["id"]
assert first["billed_cost"] == "0.0092"
failure(ConflictError, hub.run, "sandbox-image", {"prompt": "two"}, idempotency_key=key)

# Contents become inputs, and their hashes keep calls with one key equal.
picture = hub.download(first["outputs"][0])
assert len(picture) == first["outputs"][0]["size"]
path = Path("picture.png")
path.write_bytes(picture)
composed = [
    hub.run("sandbox-image", {"prompt": prompt, "image_input": [picture, path]}, idempotency_key="composed-py")
    for _ in range(2)
]
assert composed[0]["id"] == composed[1]["id"]

states = [shown["status"] for shown in hub.subscribe("sandbox-image", {"prompt": "[slow:1] slow"})]
assert states[-1] == "succeeded" and len(states) >= 2, states

failed = failure(GenerationFailedError, hub.run, "sandbox-image", {"prompt": "[fail]"})
assert failed.generation["billed_cost"] == "0"
late = failure(WaitTimeoutError, hub.run, "sandbox-image", {"prompt": "[slow:2]"}, timeout=0.05)
assert late.generation["id"]

invalid = failure(InvalidInputError, hub.create, "sandbox-image", {"prompt": 7})
assert list(invalid.errors) == ["input.prompt"] and invalid.request_id
failure(NotFoundError, hub.get, str(uuid.uuid4()))
failure(UnauthorizedError, GenerationHub(URL, "service_sk_wrong").account)
failure(ValueError, hub.download, "https://evil.example/key")

page = hub.list(limit=2, exclude_llm=True)
assert len(page["data"]) == 2 and isinstance(page["total_billed"], str)

metadata = {"team": "blue", "run": str(uuid.uuid4())}
labeled = hub.create("sandbox-image", {"prompt": prompt}, metadata=metadata, end_user="ada")
assert (labeled["metadata"], labeled["end_user"]) == (metadata, "ada")
assert [found["id"] for found in hub.list(metadata=metadata, end_user="ada")["data"]] == [labeled["id"]]

inputs = [{"prompt": prompt}, {"prompt": prompt, "image_input": [picture]}, {"prompt": "[fail]"}]
counted = []
batch = hub.create_batch("sandbox-image", inputs, idempotency_key="batch-py", max_cost=1)
ended = hub.wait_for_batch(batch["id"], on_progress=lambda shown: counted.append(shown["counts"]))
assert (ended["status"], ended["counts"]["succeeded"], ended["counts"]["failed"]) == ("completed", 2, 1)
assert (ended["billed_cost"], ended["reserved_cost"], counted[-1]) == ("0.0184", "0", ended["counts"])
assert hub.create_batch("sandbox-image", inputs, idempotency_key="batch-py", max_cost=1)["id"] == batch["id"]
assert len(hub.list(batch_id=batch["id"])["data"]) == 3
assert hub.list_batches(limit=1)["data"][0]["id"] == batch["id"]
failure(InvalidInputError, hub.create_batch, "sandbox-image", inputs, max_cost=0.01)
held = hub.create_batch("sandbox-image", [{"prompt": prompt, "image_input": ["sha256:" + "ab" * 32]}])
failure(WaitTimeoutError, hub.wait_for_batch, held["id"], timeout=0.05)
assert hub.cancel_batch(held["id"])["counts"]["canceled"] == 1

ask = {"model": "sandbox-text", "messages": [{"role": "user", "content": "hello"}]}
chats = [hub.chat(ask, idempotency_key="chat-py") for _ in range(2)]
assert chats[0]["id"] == chats[1]["id"] and isinstance(chats[0]["usage"]["cost"], str)

streamed = list(hub.stream_chat(ask, idempotency_key="stream-py"))
text = "".join(chunk["choices"][0]["delta"].get("content") or "" for chunk in streamed if chunk["choices"])
repeated = list(hub.stream_chat(ask, idempotency_key="stream-py"))
assert text and isinstance(streamed[-1]["usage"]["cost"], str), streamed
assert repeated[0]["choices"][0]["delta"]["content"] == text and repeated[0]["id"] == streamed[0]["id"]


async def check_awaited_calls() -> None:
    async with AsyncGenerationHub(URL, KEY) as awaited:
        shared = str(uuid.uuid4())
        calls = [awaited.run("sandbox-image", {"prompt": "same"}, idempotency_key=shared) for _ in range(3)]
        assert len({generation["id"] for generation in await asyncio.gather(*calls)}) == 1
        shown = [one["status"] async for one in awaited.subscribe("sandbox-image", {"prompt": prompt})]
        assert shown[-1] == "succeeded"
        assert [chunk["id"] async for chunk in awaited.stream_chat(ask)]


asyncio.run(check_awaited_calls())
assert float(hub.account()["balance"]) < float(before["balance"])
print("all checks passed")

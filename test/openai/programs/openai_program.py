import base64
import json
import os
import sys

from openai import OpenAI

client = OpenAI(base_url=f"{os.environ['HUB_URL']}/v1", api_key=os.environ["HUB_API_KEY"])


def chat():
    text, tokens, chunks = "", 0, 0
    stream = client.chat.completions.create(
        model="sandbox-text",
        messages=[{"role": "user", "content": "What does a lighthouse see?"}],
        stream=True,
    )
    for chunk in stream:
        text += chunk.choices[0].delta.content or ""
        tokens += chunk.usage.total_tokens if chunk.usage else 0
        chunks += 1
    return {"text": text, "tokens": tokens, "chunks": chunks}


def embed():
    answer = client.embeddings.create(model="sandbox-embedding", input=["a lighthouse", "the sea"])
    return {"vectors": [len(one.embedding) for one in answer.data]}


def image():
    answer = client.images.generate(model="sandbox-image", prompt="a lighthouse at dawn")
    return {"picture": base64.b64decode(answer.data[0].b64_json)[1:4].decode()}


print(json.dumps({"chat": chat, "embed": embed, "image": image}[sys.argv[1]]()))

import json
import os
import sys

from langchain_openai import ChatOpenAI, OpenAIEmbeddings

base_url, api_key = f"{os.environ['HUB_URL']}/v1", os.environ["HUB_API_KEY"]


def chat():
    model = ChatOpenAI(base_url=base_url, api_key=api_key, model="sandbox-text", stream_usage=True)
    text, tokens, chunks = "", 0, 0
    for chunk in model.stream("What does a lighthouse see?"):
        text += chunk.content
        tokens += chunk.usage_metadata["total_tokens"] if chunk.usage_metadata else 0
        chunks += 1
    return {"text": text, "tokens": tokens, "chunks": chunks}


def embed():
    model = OpenAIEmbeddings(
        base_url=base_url, api_key=api_key, model="sandbox-embedding", check_embedding_ctx_length=False
    )
    return {"vectors": [len(one) for one in model.embed_documents(["a lighthouse", "the sea"])]}


print(json.dumps({"chat": chat, "embed": embed}[sys.argv[1]]()))

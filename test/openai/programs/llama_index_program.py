import json
import os
import sys

from llama_index.core.llms import ChatMessage
from llama_index.embeddings.openai_like import OpenAILikeEmbedding
from llama_index.llms.openai_like import OpenAILike

settings = {"api_base": f"{os.environ['HUB_URL']}/v1", "api_key": os.environ["HUB_API_KEY"]}


def chat():
    model = OpenAILike(model="sandbox-text", is_chat_model=True, context_window=128_000, **settings)
    text, tokens, chunks = "", 0, 0
    for chunk in model.stream_chat([ChatMessage(role="user", content="What does a lighthouse see?")]):
        text += chunk.delta or ""
        usage = getattr(chunk.raw, "usage", None)
        tokens += usage.total_tokens if usage else 0
        chunks += 1
    return {"text": text, "tokens": tokens, "chunks": chunks}


def embed():
    model = OpenAILikeEmbedding(model_name="sandbox-embedding", **settings)
    return {"vectors": [len(one) for one in model.get_text_embedding_batch(["a lighthouse", "the sea"])]}


print(json.dumps({"chat": chat, "embed": embed}[sys.argv[1]]()))

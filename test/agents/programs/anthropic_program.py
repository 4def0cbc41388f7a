"""Runs one tool call to the end with Anthropic's SDK."""

import os

from anthropic import Anthropic

client = Anthropic(base_url=os.environ["HUB_URL"], api_key=os.environ["HUB_API_KEY"])
schema = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
tools = [{"name": "weather", "description": "Returns the weather of a city", "input_schema": schema}]
messages = [{"role": "user", "content": "What is the weather in Berlin?"}]


def ask():
    with client.messages.stream(
        model=os.environ["MODEL"], max_tokens=1_000, messages=messages, tools=tools
    ) as stream:
        return stream.get_final_message()


first = ask()
call = next(block for block in first.content if block.type == "tool_use")
messages.append({"role": "assistant", "content": first.content})
result = {"type": "tool_result", "tool_use_id": call.id, "content": "21 degrees"}
messages.append({"role": "user", "content": [result]})
last = ask()
print(call.input, last.content[0].text, last.stop_reason)

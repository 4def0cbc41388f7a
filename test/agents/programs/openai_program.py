"""Runs one tool call to the end with OpenAI's SDK over Responses."""

import os

from openai import OpenAI

client = OpenAI(base_url=os.environ["HUB_URL"] + "/v1", api_key=os.environ["HUB_API_KEY"])
schema = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
tools = [{"type": "function", "name": "weather", "parameters": schema, "strict": False}]


def ask(**more):
    with client.responses.stream(model=os.environ["MODEL"], tools=tools, **more) as stream:
        return stream.get_final_response()


first = ask(input="What is the weather in Berlin?")
call = next(item for item in first.output if item.type == "function_call")
result = {"type": "function_call_output", "call_id": call.call_id, "output": "21 degrees"}
last = ask(input=[result], previous_response_id=first.id)
print(call.arguments, last.output_text, last.status)

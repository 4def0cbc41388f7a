import json
import os

import instructor
from openai import OpenAI
from pydantic import BaseModel


class Answer(BaseModel):
    city: str
    population: int


client = instructor.from_openai(
    OpenAI(base_url=f"{os.environ['HUB_URL']}/v1", api_key=os.environ["HUB_API_KEY"]),
    mode=instructor.Mode.JSON_SCHEMA,
)
last, chunks = None, 0
for partial in client.chat.completions.create_partial(
    model="sandbox-text",
    response_model=Answer,
    messages=[{"role": "user", "content": "Name a city."}],
    max_retries=0,
):
    last, chunks = partial, chunks + 1
print(json.dumps({"text": last.model_dump_json(), "chunks": chunks}))

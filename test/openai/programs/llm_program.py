import json
import os
import subprocess
import sys
import tempfile

# The settings that the tool's page names: a file of models, and the key in a variable.
folder = tempfile.mkdtemp()
with open(os.path.join(folder, "extra-openai-models.yaml"), "w") as file:
    file.write(
        "- model_id: hub\n  model_name: sandbox-text\n"
        f"  api_base: {os.environ['HUB_URL']}/v1\n  api_key_name: hub\n"
    )
with open(os.path.join(folder, "keys.json"), "w") as file:
    json.dump({"hub": os.environ["HUB_API_KEY"]}, file)
command = [sys.executable, "-m", "llm", "-m", "hub", "--usage", "What does a lighthouse see?"]
environment = {**os.environ, "LLM_USER_PATH": folder}
# It would wait for a prompt in a pipe.
answer = subprocess.run(
    command, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True
)
usage = answer.stderr.strip().splitlines()[-1]
print(json.dumps({"text": answer.stdout, "tokens": usage}))

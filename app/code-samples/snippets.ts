import { formatJson } from "./sample-request";
import { writeCurl } from "./write-curl";
import { toPython } from "./write-python";

export const languages = [
  { value: "curl", label: "curl" },
  { value: "typescript", label: "TypeScript" },
  { value: "python", label: "Python" },
] as const;
export type Language = (typeof languages)[number]["value"];

/** A request to the hub: a media model's input or a text model's messages. */
export interface Call {
  /** The base URL of the hub. */
  base: string;
  model: string;
  isLlm: boolean;
  input: Record<string, unknown>;
}

/** Returns a program that makes this request with the key in HUB_API_KEY. */
export const snippetOf = (language: Language, call: Call): string =>
  (call.isLlm ? chat : media)[language]({ ...call, api: `${call.base}/api/v1/hub` });

type Write = (call: Call & { api: string }) => string;

const curl = (base: string, path: string, body: object, headers: Record<string, string> = {}) =>
  writeCurl(base, {
    method: "POST",
    path,
    headers,
    credential: "key",
    body: { kind: "json", value: body },
    result: "json",
  });

/** The response has the result if it is ready within this time, as with most image models. */
const WAIT = "wait=30";

const media: Record<Language, Write> = {
  curl: ({ base, model, input }) => curl(base, "/api/v1/hub/generations", { model, input }, { Prefer: WAIT }),

  typescript: ({ api, model, input }) => `const { HUB_API_KEY } = process.env;
const hub = ${formatJson(api)};
const headers = { Authorization: \`Bearer \${HUB_API_KEY}\`, "Content-Type": "application/json" };
const body = ${formatJson({ model, input })};

const response = await fetch(\`\${hub}/generations\`, {
  method: "POST",
  headers: { ...headers, Prefer: "${WAIT}" },
  body: JSON.stringify(body),
});
if (!response.ok) throw new Error(await response.text());
let generation: any = await response.json();
while (!generation.completed_at) {
  await new Promise((resolve) => setTimeout(resolve, 1000));
  generation = await (await fetch(\`\${hub}/generations/\${generation.id}\`, { headers })).json();
}
console.log(generation.status, generation.outputs);`,

  python: ({ api, model, input }) => `import os, time
import requests

hub = ${formatJson(api)}
headers = {"Authorization": f"Bearer {os.environ['HUB_API_KEY']}"}
body = ${toPython({ model, input })}

response = requests.post(f"{hub}/generations", headers={**headers, "Prefer": "${WAIT}"}, json=body)
response.raise_for_status()
generation = response.json()
while not generation["completed_at"]:
    time.sleep(1)
    generation = requests.get(f"{hub}/generations/{generation['id']}", headers=headers).json()
print(generation["status"], generation["outputs"])`,
};

const chat: Record<Language, Write> = {
  curl: ({ base, model, input }) => curl(base, "/api/v1/hub/chat/completions", { model, ...input }),

  typescript: ({ api, model, input }) => `import OpenAI from "openai";

const { HUB_API_KEY } = process.env;
const hub = new OpenAI({ baseURL: ${formatJson(api)}, apiKey: HUB_API_KEY });
const completion = await hub.chat.completions.create(${formatJson({ model, ...input })});
console.log(completion.choices[0]?.message.content, completion.usage);`,

  python: ({ api, model, input }) => `import os
from openai import OpenAI

hub = OpenAI(base_url=${formatJson(api)}, api_key=os.environ["HUB_API_KEY"])
completion = hub.chat.completions.create(**${toPython({ model, ...input })})
print(completion.choices[0].message.content, completion.usage)`,
};

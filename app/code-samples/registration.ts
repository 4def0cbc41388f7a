import { eventNames } from "@/server/domain/events/event-names";
import { languages, type Language } from "./snippets";

const RECEIVER = "https://example.com/hooks/hub";

/** Returns programs that register a webhook with the key in HUB_API_KEY and print its secret. */
export const registration = (base: string) =>
  languages.map((one) => ({ ...one, code: programs[one.value](`${base}/api/v1/hub/webhooks`) }));

const body = JSON.stringify({ url: RECEIVER, events: eventNames }, null, 2);

const programs: Record<Language, (address: string) => string> = {
  curl: (address) => `curl ${address} \\
  -H "Authorization: Bearer $HUB_API_KEY" \\
  -H "Content-Type: application/json" \\
  -d '${body}'`,

  typescript: (address) => `const { HUB_API_KEY } = process.env;
const response = await fetch("${address}", {
  method: "POST",
  headers: { Authorization: \`Bearer \${HUB_API_KEY}\`, "Content-Type": "application/json" },
  body: JSON.stringify(${body}),
});
if (!response.ok) throw new Error(await response.text());
console.log((await response.json()).secret);`,

  python: (address) => `import os
import requests

response = requests.post(
    "${address}",
    headers={"Authorization": f"Bearer {os.environ['HUB_API_KEY']}"},
    json=${body},
)
response.raise_for_status()
print(response.json()["secret"])`,
};

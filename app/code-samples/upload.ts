import { languages, type Language } from "./snippets";

const extensions: Record<string, string> = { image: "png", audio: "mp3", video: "mp4" };

/** Returns programs that upload a file of one of these media with the key in HUB_API_KEY, and print its URL. */
export function uploads(base: string, modalities: string[]) {
  const name = `input.${modalities.map((one) => extensions[one]).find(Boolean) ?? "pdf"}`;
  return languages.map((one) => ({ ...one, code: programs[one.value](`${base}/api/v1/hub/files`, name) }));
}

const programs: Record<Language, (address: string, name: string) => string> = {
  curl: (address, name) => `# Use the url of the response in the input.
curl ${address} \\
  -H "Authorization: Bearer $HUB_API_KEY" \\
  -F "file=@${name}"`,

  typescript: (address, name) => `import { openAsBlob } from "node:fs";

const { HUB_API_KEY } = process.env;
const form = new FormData();
form.append("file", await openAsBlob("${name}"), "${name}");
const uploaded = await fetch("${address}", {
  method: "POST",
  headers: { Authorization: \`Bearer \${HUB_API_KEY}\` },
  body: form,
});
if (!uploaded.ok) throw new Error(await uploaded.text());
console.log((await uploaded.json()).url);`,

  python: (address, name) => `import os
import requests

with open("${name}", "rb") as file:
    uploaded = requests.post(
        "${address}",
        headers={"Authorization": f"Bearer {os.environ['HUB_API_KEY']}"},
        files={"file": file},
    )
uploaded.raise_for_status()
print(uploaded.json()["url"])`,
};

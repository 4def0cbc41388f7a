import { languages, type Language } from "./snippets";

/** Returns programs that continue a media request of `snippetOf`: they wait where needed and save the outputs. */
export const downloads = (base: string) => languages.map((one) => ({ ...one, code: programs[one.value](base) }));

const programs: Record<Language, (base: string) => string> = {
  curl: (base) => `# ID is the id from the response above. Poll until completed_at is set.
curl ${base}/api/v1/hub/generations/$ID \\
  -H "Authorization: Bearer $HUB_API_KEY"

# OUTPUT is the url of an output.
curl $OUTPUT \\
  -H "Authorization: Bearer $HUB_API_KEY" \\
  --output lighthouse.png`,

  typescript: () => `import { writeFile } from "node:fs/promises";

for (const { index, url } of generation.outputs) {
  const file = await fetch(url, { headers });
  await writeFile(\`lighthouse-\${index}.png\`, Buffer.from(await file.arrayBuffer()));
}`,

  python: () => `for output in generation["outputs"]:
    file = requests.get(output["url"], headers=headers)
    with open(f"lighthouse-{output['index']}.png", "wb") as picture:
        picture.write(file.content)`,
};

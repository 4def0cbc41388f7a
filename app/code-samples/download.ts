import { languages, type Language } from "./snippets";

/** Returns programs that continue a media request of `snippetOf`: they wait where needed and save the outputs. */
export const downloads = (base: string, modalities: string[]) =>
  languages.map((one) => ({ ...one, code: programs[one.value](base, usualTypes[modalities[0] ?? ""] ?? otherFile) }));

interface FileType {
  extension: string;
  /** Media subtypes that differ from the file extension, with the extension. */
  replaced: [subtype: string, extension: string][];
}

const otherFile: FileType = { extension: "bin", replaced: [["octet-stream", "bin"], ["x-safetensors", "safetensors"]] }; // prettier-ignore
/** What models of each medium usually return. */
const usualTypes: Record<string, FileType> = {
  image: { extension: "png", replaced: [] },
  video: { extension: "mp4", replaced: [] },
  audio: { extension: "mp3", replaced: [["mpeg", "mp3"]] },
  text: { extension: "txt", replaced: [["plain", "txt"]] },
};

const replacements = ({ replaced }: FileType): string =>
  replaced.map(([subtype, extension]) => `.replace("${subtype}", "${extension}")`).join("");

const programs: Record<Language, (base: string, type: FileType) => string> = {
  curl: (base, { extension }) => `# ID is the id from the response above. Poll while completed_at is null.
curl ${base}/api/v1/hub/generations/$ID \\
  -H "Authorization: Bearer $HUB_API_KEY"

# OUTPUT is the url of an output; its media_type names the kind of file.
curl $OUTPUT \\
  -H "Authorization: Bearer $HUB_API_KEY" \\
  --output output-1.${extension}`,

  typescript: (_, type) => `import { writeFile } from "node:fs/promises";

for (const { index, url, media_type } of generation.outputs) {
  const file = await fetch(url, { headers });
  const extension = media_type.split("/")[1]${replacements(type)};
  await writeFile(\`output-\${index + 1}.\${extension}\`, Buffer.from(await file.arrayBuffer()));
}`,

  python: (_, type) => `for output in generation["outputs"]:
    file = requests.get(output["url"], headers=headers)
    extension = output["media_type"].split("/")[1]${replacements(type)}
    with open(f"output-{output['index'] + 1}.{extension}", "wb") as target:
        target.write(file.content)`,
};

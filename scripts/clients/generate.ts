import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { generateTypes } from "./generate-types";

for (const [file, text] of Object.entries(await generateTypes())) {
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, text);
  process.stdout.write(`${file}\n`);
}

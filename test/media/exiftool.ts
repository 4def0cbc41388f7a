import { execFile, spawnSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";

const script = path.resolve("node_modules/exiftool-vendored.pl/bin/exiftool");

/** Whether ExifTool, which shares no code with the hub, can read what the hub has written. */
export const hasExifTool = spawnSync("perl", [script, "-ver"]).status === 0;

/** Returns what ExifTool reads of files, with its warnings. */
export async function readWithExifTool(contents: Buffer[]): Promise<Record<string, unknown>[]> {
  const folder = await mkdtemp(path.join(tmpdir(), "marks-"));
  try {
    const files = contents.map((_, index) => path.join(folder, String(index)));
    await Promise.all(files.map((file, index) => writeFile(file, contents[index]!)));
    const { stdout } = await promisify(execFile)("perl", [
      script,
      "-json",
      "-validate",
      "-warning",
      "-XMP:all",
      ...files,
    ]);
    return JSON.parse(stdout) as Record<string, unknown>[];
  } finally {
    await rm(folder, { recursive: true });
  }
}

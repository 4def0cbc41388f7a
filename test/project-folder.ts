import { mkdir, mkdtemp } from "node:fs/promises";
import path from "node:path";

/** Returns a new folder below the project, where a program finds the project's packages and no check looks for files. */
export async function makeProjectFolder(): Promise<string> {
  const parent = path.resolve(".data");
  await mkdir(parent, { recursive: true });
  return mkdtemp(path.join(parent, "test-"));
}

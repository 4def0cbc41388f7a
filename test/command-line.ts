import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, vi } from "vitest";
import { createProgram } from "../server/cli/program";
import { testDatabase } from "./database";

/** Returns a database and a folder for commands that run in this process, and `run`, which returns what one prints. */
export async function openCommandLine() {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), "hub-command-line-"));
  const { db, url } = await testDatabase();
  vi.stubEnv("DATABASE_URL", url);
  vi.stubEnv("HUB_DATA_DIR", dataDir);
  // Vite sets it to "/".
  vi.stubEnv("BASE_URL", "http://localhost:3000");
  vi.stubEnv("HUB_SECRET", "a secret of at least thirty-two characters");
  const write = vi.spyOn(process.stdout, "write").mockReturnValue(true);
  afterAll(async () => {
    vi.unstubAllEnvs();
    write.mockRestore();
    await rm(dataDir, { recursive: true, force: true });
  });
  const run = async (...values: string[]): Promise<string> => {
    write.mockClear();
    await (await createProgram(values[0])).parseAsync(values, { from: "user" });
    return write.mock.calls.map(([text]) => String(text)).join("");
  };
  return { db, dataDir, run };
}

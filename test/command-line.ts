import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { type Command, CommanderError } from "commander";
import { afterAll, vi } from "vitest";
import type { Finished } from "../e2e/server";
import { createProgram } from "../server/cli/program";
import { describeFatalError } from "../server/lib/operator-error";
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

/**
 * Runs a command in this process and returns what `npm run hub` would: a separate process would take one more second of
 * processor time.
 */
export const runCommand = (values: string[], env: Record<string, string>): Promise<Finished> =>
  runHere(env, async () => {
    const program = await createProgram(values[0]);
    overrideExit(program);
    await program.parseAsync(values, { from: "user" });
  });

/** Runs the work of a program in this process, with its settings, and returns what the program would print and its exit code. */
export async function runHere(env: Record<string, string>, run: () => Promise<void>): Promise<Finished> {
  const written = { stdout: "", stderr: "" };
  const spies = (["stdout", "stderr"] as const).map((name) =>
    vi.spyOn(process[name], "write").mockImplementation((text) => Boolean((written[name] += String(text)))),
  );
  // Vite sets BASE_URL to "/", and the database and the secret of other tests must not be used.
  const settings = { BASE_URL: "http://localhost:3000", DATABASE_URL: undefined, HUB_SECRET: undefined, ...env };
  for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value);
  process.exitCode = 0;
  try {
    await run();
  } catch (error) {
    if (!(error instanceof CommanderError)) written.stderr += `${describeFatalError(error)}\n`;
    process.exitCode = 1;
  } finally {
    for (const spy of spies) spy.mockRestore();
    vi.unstubAllEnvs();
  }
  const code = process.exitCode;
  process.exitCode = undefined;
  return { code, ...written };
}

/** Makes a command and its subcommands throw instead of ending the process. */
function overrideExit(command: Command): void {
  command.exitOverride();
  for (const one of command.commands) overrideExit(one);
}

import { rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { makeProjectFolder } from "../project-folder";
import { findPython } from "./python-environment";
import { readBlocks, runOrThrow, runProgram } from "./run-program";

const { python, missing } = await findPython();
const hasCurl = (await runProgram("curl", ["--version"])).code === 0;

/** The languages whose programs can run here. */
export const runnable = ["sh", "ts", ...(missing ? [] : ["python"])].filter((language) => language !== "sh" || hasCurl);

const MAX_LINES = 21;

/** Returns the first program of a text in a language. Throws if it is long. */
export function findProgram(text: string, language: string): string {
  const [program = ""] = readBlocks(text, language);
  const lines = program.trim().split("\n").length;
  if (program === "" || lines > MAX_LINES) throw new Error(`The program in ${language} has ${lines} lines`);
  return program;
}

/** Runs a program that uses the clients of this repository, and returns what it printed. */
export async function runDocumented(language: string, program: string, env: Record<string, string>): Promise<string> {
  if (language === "sh") return runOrThrow("sh", ["-ec", program], { env });
  if (language === "python")
    return runOrThrow(python, ["-c", program], { env: { ...env, PYTHONPATH: path.resolve("clients/python/src") } });
  const folder = await makeProjectFolder();
  try {
    const client = path.resolve("clients/typescript/src/index.ts");
    await writeFile(path.join(folder, "program.mts"), program.replace("@generation-hub/client", client));
    const tsx = path.resolve("node_modules/tsx/dist/cli.mjs");
    return await runOrThrow(process.execPath, [tsx, "program.mts"], { cwd: folder, env });
  } finally {
    await rm(folder, { recursive: true });
  }
}

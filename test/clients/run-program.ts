import { execFile } from "node:child_process";

export interface ProgramResult {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs a program and returns its exit code and what it printed. */
export function runProgram(
  file: string,
  values: string[],
  options: { cwd?: string; env?: Record<string, string>; timeoutMs?: number } = {},
): Promise<ProgramResult> {
  const env = { ...process.env, ...options.env };
  return new Promise((resolve) => {
    execFile(
      file,
      values,
      { cwd: options.cwd, env, timeout: options.timeoutMs ?? 120_000 },
      (error, stdout, stderr) => {
        const cause = error && typeof error.code !== "number" ? error.message : "";
        resolve({ code: error ? Number(error.code) || 1 : 0, stdout, stderr: `${stderr}${cause}` });
      },
    );
  });
}

/** Runs a program that must succeed, and returns what it printed. */
export async function runOrThrow(...program: Parameters<typeof runProgram>): Promise<string> {
  const { code, stdout, stderr } = await runProgram(...program);
  if (code !== 0) throw new Error(`${program[0]} ${program[1].join(" ")} ended with ${code}:\n${stdout}${stderr}`);
  return stdout;
}

/** Returns the code blocks of a page in one language. */
export const readBlocks = (text: string, language: string): string[] =>
  [...text.matchAll(/^```(\w+)\n([^]*?)^```/gm)].flatMap(([, name, code]) => (name === language ? [code!] : []));

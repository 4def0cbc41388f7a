import { spawn } from "node:child_process";
import { accessSync, constants } from "node:fs";
import os from "node:os";
import path from "node:path";

/** Returns the path of a program, in the PATH or in Go's folder; undefined when it is not installed. */
export function findProgram(name: string): string | undefined {
  const { PATH = "", GOPATH = path.join(os.homedir(), "go") } = process.env;
  const folders = [...PATH.split(path.delimiter), path.join(GOPATH, "bin")];
  return folders
    .map((folder) => path.join(folder, name))
    .find((file) => {
      try {
        accessSync(file, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}

/** Returns which of these programs are not installed. */
export const findMissing = (...names: string[]): string[] => names.filter((name) => !findProgram(name));

/** Runs a program and returns what it prints. Rejects with its output when it fails. */
export function runProgram(
  file: string,
  values: string[],
  options: { cwd?: string; env?: object; uid?: number; gid?: number } = {},
) {
  return new Promise<string>((resolve, reject) => {
    const env = { ...process.env, ...options.env };
    const child = spawn(file, values, { ...options, env, stdio: ["ignore", "pipe", "pipe"] });
    const output = { stdout: "", stderr: "" };
    child.stdout.on("data", (chunk: Buffer) => (output.stdout += chunk.toString()));
    child.stderr.on("data", (chunk: Buffer) => (output.stderr += chunk.toString()));
    child.once("error", reject);
    child.once("close", (code) => {
      if (code === 0) resolve(output.stdout.trim());
      else reject(new Error(`${file} ${values.join(" ")} ended with ${code}:\n${output.stderr.slice(-4_000)}`));
    });
  });
}

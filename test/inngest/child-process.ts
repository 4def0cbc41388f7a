import { type ChildProcess, spawn } from "node:child_process";

export interface Program {
  kill9(): Promise<void>;
}

const MAX_START_MS = 60_000;

/** Starts a program and waits until `isReady` returns true. Throws with the end of its output if it exits first. */
export async function startProgram(
  file: string,
  values: string[],
  { folder, isReady }: { folder: string; isReady: () => Promise<boolean> },
): Promise<Program> {
  const { PATH } = process.env;
  const child = spawn(file, values, { cwd: folder, env: { PATH, HOME: folder } as never, stdio: "pipe" });
  let output = "";
  const keepOutput = (chunk: Buffer) => void (output = (output + chunk.toString()).slice(-4_000));
  child.stdout.on("data", keepOutput);
  child.stderr.on("data", keepOutput);
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()).once("error", () => resolve()));
  const killAtExit = () => child.kill("SIGKILL");
  process.once("exit", killAtExit);
  void ended.then(() => process.off("exit", killAtExit));

  const deadline = Date.now() + MAX_START_MS;
  while (!(await isReady().catch(() => false))) {
    if (!isRunning(child) || Date.now() > deadline) {
      child.kill("SIGKILL");
      throw new Error(`${file} did not start:\n${output}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return {
    async kill9() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}

const isRunning = ({ pid, exitCode, signalCode }: ChildProcess) =>
  pid !== undefined && exitCode === null && signalCode === null;

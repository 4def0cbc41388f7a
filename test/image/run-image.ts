import { type ChildProcess, spawn } from "node:child_process";
import { chown, mkdtemp } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import type { ImageConfig } from "./build-image";
import { runProgram } from "./tools";

export interface RunningImage {
  url: string;
  output(): string;
  /** Sends SIGTERM and returns the exit code. */
  stop(): Promise<number | null>;
}

export interface ImageRun {
  root: string;
  config: ImageConfig;
  data: string;
  env: Record<string, string>;
}

const USER_ID = 10_001;
const START_MS = 120_000;

/** Makes a folder like an empty volume, which gets the owner of the folder in the image. */
export async function makeVolume(): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), "hub-image-data-"));
  await chown(folder, USER_ID, USER_ID);
  return folder;
}

/**
 * Starts an image as an unprivileged user on a read-only root, in a mount namespace of its own and with the network of the
 * machine, and waits until it is ready.
 */
export async function startImage(run: ImageRun): Promise<RunningImage> {
  const child = spawnIn(run, run.config.Entrypoint);
  const ended = new Promise<number | null>((resolve) => child.once("exit", (code) => resolve(code)));
  let output = "";
  for (const stream of [child.stdout!, child.stderr!])
    stream.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const url = await new Promise<string>((resolve, reject) => {
    const fail = (reason: string) => reject(new Error(`the image ${reason}:\n${output.slice(-4_000)}`));
    const timer = setTimeout(() => {
      child.kill("SIGKILL");
      fail("was not ready in time");
    }, START_MS);
    child.stdout!.on("data", () => {
      const found = /ready at (\S+)/.exec(output)?.[1];
      if (!found) return;
      clearTimeout(timer);
      resolve(found);
    });
    void ended.then((code) => {
      clearTimeout(timer);
      fail(`ended with ${code}`);
    });
  });
  return {
    url,
    output: () => output,
    stop() {
      child.kill("SIGTERM");
      return ended;
    },
  };
}

/** Runs a command in an image and returns what it prints and its exit code. */
export async function runInImage(run: ImageRun, values: string[]): Promise<{ code: number | null; output: string }> {
  const child = spawnIn(run, values);
  let output = "";
  for (const stream of [child.stdout!, child.stderr!])
    stream.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  return { code, output };
}

function spawnIn({ root, config, data, env }: ImageRun, values: string[]): ChildProcess {
  const settings = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  const mounts = [
    `mount --bind "$1" "$1"`,
    `mount -t tmpfs tmpfs "$1/tmp"`,
    `mount --bind "$2" "$1/data"`,
    `mount -t proc proc "$1/proc"`,
    `mount --rbind /dev "$1/dev"`,
    `mount --bind /etc/resolv.conf "$1/etc/resolv.conf" 2>/dev/null || true`,
    `mount -o remount,ro,bind "$1"`,
  ];
  const script = `set -e; ${mounts.join("; ")}; root=$1; shift 2; exec chroot --userspec=${USER_ID}:${USER_ID} "$root" "$@"`;
  const command = ["env", "-i", `--chdir=${config.WorkingDir}`, "HOME=/data", ...config.Env, ...settings, ...values];
  return spawn("unshare", ["--mount", "--propagation", "private", "sh", "-c", script, "sh", root, data, ...command], {
    stdio: ["ignore", "pipe", "pipe"],
  });
}

/** Returns whether this user may run images here: root, with the programs that are needed. */
export const canMount = async (): Promise<boolean> =>
  process.getuid?.() === 0 &&
  (await runProgram("unshare", ["--mount", "true"]).then(
    () => true,
    () => false,
  ));

import { fork } from "node:child_process";
import path from "node:path";
import { build } from "esbuild";

export interface Child {
  stop(): Promise<void>;
}

/** Bundles a file of this folder as the product is, runs it in a process of its own, and waits for its first message. */
export async function startChild(file: string, settings: Record<string, string>): Promise<Child> {
  const bundle = path.resolve("dist", `bench-${path.parse(file).name}.js`);
  await build({
    entryPoints: [path.join(import.meta.dirname, file)],
    outfile: bundle,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20",
    packages: "external",
    logLevel: "error",
  });
  const child = fork(bundle, {
    execArgv: [],
    env: { ...process.env, NODE_ENV: "production", ...settings },
  });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  await Promise.race([
    new Promise((resolve) => child.once("message", resolve)),
    ended.then(() => Promise.reject(new Error(`${file} exited before it was ready`))),
  ]);
  return {
    async stop() {
      child.disconnect();
      await ended;
    },
  };
}

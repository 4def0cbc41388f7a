import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { bundleProgram } from "../test/bundle-program";
import { pixel } from "./pixel";
import type { RunningHub } from "./server";

const root = path.resolve(import.meta.dirname, "..");

/** Starts `npm run worker` for this model as its own process, which runs `command` for each job. */
export async function startWorker(hub: RunningHub, token: string, model: string, command: string) {
  const { PATH, HOME } = process.env;
  const program = await bundleProgram("scripts/worker/worker.ts");
  const values = [program, "--models", model, "--exec", command];
  const env = { PATH, HOME, HUB_URL: hub.url, HUB_WORKER_TOKEN: token } as unknown as NodeJS.ProcessEnv;
  const child = spawn(process.execPath, values, { cwd: root, env, stdio: "ignore" });
  const end = async (signal: NodeJS.Signals) => {
    const ended = once(child, "exit");
    if (child.exitCode === null && child.signalCode === null && child.kill(signal)) await ended;
  };
  return { kill9: () => end("SIGKILL"), stop: () => end("SIGTERM") };
}

/**
 * A trainer program. Its first run reports 40 %, a log line and a preview, leaves a checkpoint and never ends; a run from a checkpoint finishes
 * with the first picture and a palette as results. It exits with its worker.
 */
export const TRAINER = `exec ${process.execPath} -e '
  const fs = require("node:fs"), out = process.env.HUB_OUTPUT_DIR + "/", parent = process.ppid;
  const say = (report) => console.log(JSON.stringify(report));
  let read = "";
  process.stdin.on("data", (part) => (read += part)).on("end", async () => {
    const job = JSON.parse(read);
    if (!job.checkpoint) {
      say({ progress: 0.4, checkpoint: { step: 4 }, log: "step 4 of 10", preview: "${pixel.buffer.toString("base64")}" });
      return setInterval(() => process.ppid !== parent && process.exit(1), 100);
    }
    const pictures = await Promise.all(job.input.images.map((url) => fetch(url).then((answer) => answer.arrayBuffer())));
    fs.writeFileSync(out + "0-sheet.png", Buffer.from(pictures[0]));
    fs.writeFileSync(out + "1-palette.json", JSON.stringify({ palette: [{ hex: "#00ff00", share: 1 }], pictures: pictures.length }));
  });
'`;

import { readFileSync } from "node:fs";
import { openai } from "../../../server/providers/openai/openai";
import { buildIo, buildJob, buildProvider } from "../job";

// Reads and decodes a large picture in a process of its own, and tells the longest turn of its event loop. A turn counts
// by the processor time of its thread, because a busy machine stops any process for longer than that.
const [baseUrl = ""] = process.argv.slice(2);
const cpuMs = () => Number(readFileSync("/proc/thread-self/schedstat", "utf8").split(" ")[0]) / 1e6;

let longestTurnMs = 0;
let turnStart = cpuMs();
let isDone = false;
function watchTurns() {
  const now = cpuMs();
  longestTurnMs = Math.max(longestTurnMs, now - turnStart);
  turnStart = now;
  if (!isDone) setImmediate(watchTurns);
}

const job = buildJob(buildProvider("openai", baseUrl), "gpt-image-2.5-flare", { prompt: "a lighthouse" });
// The first call loads and compiles what later ones use.
await openai.submit!(job, buildIo());
turnStart = cpuMs();
watchTurns();
const state = await openai.submit!(job, buildIo());
if (state.state !== "succeeded") throw new Error(JSON.stringify(state));
let bytes = 0;
await state.outputs[0]!.read(async (content) => {
  for await (const chunk of content) bytes += chunk.length;
});
isDone = true;
process.send!({ bytes, longestTurnMs });
process.disconnect();

import { openai } from "../../../server/providers/openai/openai";
import { measureLongestTurn } from "../../longest-turn";
import { buildIo, buildJob, buildProvider } from "../job";

// Reads and decodes a large picture in a process of its own, a few times, and reports the longest turn of its event loop
// in each.
const [baseUrl = "", times = ""] = process.argv.slice(2);

const job = buildJob(buildProvider("openai", baseUrl), "gpt-image-2.5-flare", { prompt: "a lighthouse" });
// The first call loads and compiles what later ones use.
await openai.submit!(job, buildIo());

const report = { bytes: [] as number[], longestTurnsMs: [] as number[] };
async function readPicture(): Promise<void> {
  const state = await openai.submit!(job, buildIo());
  if (state.state !== "succeeded") throw new Error(JSON.stringify(state));
  let bytes = 0;
  await state.outputs[0]!.read(async (content) => {
    for await (const chunk of content) bytes += chunk.length;
  });
  report.bytes.push(bytes);
}
for (let n = 0; n < Number(times); n += 1) report.longestTurnsMs.push(await measureLongestTurn(readPicture));
process.send!(report);
process.disconnect();

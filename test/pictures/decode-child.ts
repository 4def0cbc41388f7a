import { readFile } from "node:fs/promises";
import { sandbox } from "../../server/providers/sandbox/sandbox";
import { trainPalette } from "../../server/providers/sandbox/trainer/train";
import { buildIo, buildJob, buildProvider } from "../providers/job";
import { soakCount } from "../soak";

// Generates and trains with all images at once, in a process of its own, whose peak memory is then that of the images.
const paths = process.argv.slice(2);
const { signal } = new AbortController();
const read = (path: string) => readFile(path);
const io = { ...buildIo(), read, signal };
const provider = buildProvider("sandbox", "http://sandbox.invalid");

const jobs = ["4k", "2k", "1k"].slice(0, soakCount(1, 3)).map((resolution, first) => {
  const image_input = [...paths.slice(first), ...paths.slice(0, first)].slice(0, 4);
  const input = { prompt: "x", resolution, format: "jpeg", image_input };
  return sandbox.submit(buildJob(provider, "", input), io);
});
const training = trainPalette(
  { input: { images: paths, steps: 1 }, attempt: 1, checkpoint: null },
  { read, signal, report: () => Promise.resolve() },
);
const states = await Promise.all([...jobs, training]);
process.send!({
  states: states.map((state) => (state.state === "failed" ? state.error.message : state.state)),
  peakBytes: await readPeakBytes(),
});

/** Returns the peak of this program. On Linux `maxRSS` begins with the size of the process that forked it. */
async function readPeakBytes(): Promise<number> {
  const status = process.platform === "linux" ? await readFile("/proc/self/status", "utf8") : "";
  return Number(/^VmHWM:\s*(\d+) kB$/m.exec(status)?.[1] ?? process.resourceUsage().maxRSS) * 1024;
}

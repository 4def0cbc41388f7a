import { describeUnavailable } from "../input-unavailable";
import { type Job, type JobState, outputOf } from "../job";
import type { Failure } from "../failure";
import type { Provider, ProviderIo } from "../provider";
import { drawPicture } from "./draw";
import { Input } from "./input";
import { readColours } from "./character";
import { getScriptedFailure, parseScript } from "./script";
import { speakText } from "./audio/speech";
import { transcribe } from "./audio/transcription";
import { computeEmbeddings } from "./embedding";
import { answerChat, countChat, streamAnswer } from "./text/chat";
import { filmPicture } from "./video/video";

/** A provider without keys or network, with prompts for every outcome of a job, for building and testing clients. */
export const sandbox = {
  chat: answerChat,
  countTokens: countChat,
  embed: computeEmbeddings,
  streamChat: streamAnswer,
  submit: startJob,
  submitTimeoutMs: 20_000,
  retryStarted: 2,

  // The sandbox is stateless: the outcome of a job follows from the job itself.
  recover: startJob,

  poll: (job, upstreamId, io) => pollJob(job, upstreamId, io),

  // Nothing runs, so there is nothing to stop.
  cancel: () => Promise.resolve("stopped"),
} satisfies Provider;

async function startJob(job: Job, io: ProviderIo): Promise<JobState> {
  const script = parseScript(readPrompt(job.input));
  const { seconds } = script;
  const failure = getScriptedFailure(script, () => job.attempt === 1);
  if (failure) return failed(failure);
  return seconds > 0 ? pollJob(job, buildWaitId(job.openedAt, seconds), io) : buildResult(job, io);
}

const pollJob = async (job: Job, upstreamId: string, io: ProviderIo): Promise<JobState> =>
  getWaitState(upstreamId, io.now()) ?? buildResult(job, io);

/** Returns the text that may contain magic words: the prompt, or the input of a model for speech. */
const readPrompt = ({ prompt, input }: Record<string, unknown>): string =>
  typeof prompt === "string" ? prompt : typeof input === "string" ? input : "";

async function buildResult(job: Job, io: ProviderIo): Promise<JobState> {
  if (job.upstreamModel === "sandbox-speech") return speakText(job.input);
  try {
    if (job.upstreamModel === "sandbox-transcription") return await transcribe(job.input, io);
    if (job.upstreamModel === "sandbox-video") return await filmPicture(job.input, io);
    const input = Input.parse(job.input);
    const colours = input.character ? await readColours(input.character, io) : [];
    const picture = await drawPicture(input, io, colours);
    return { state: "succeeded", outputs: [outputOf(picture, `image/${input.format}`)] };
  } catch (error) {
    return failed(describeUnavailable(error));
  }
}

const failed = (error: Failure): JobState => ({ state: "failed", error, started: "yes", cause: "job" });

type Pending = Extract<JobState, { state: "pending" }>;

// A job still waits while the clock is behind its start by less than this.
const MAX_SKEW_MS = 86_400_000;

/** Returns the id of a waiting job. It encodes the start and end, so that no state has to be stored. */
const buildWaitId = (from: Date, seconds: number): string => `${from.getTime()}:${from.getTime() + seconds * 1000}`;

/** Returns the state of a waiting job; null when its time is over. */
function getWaitState(upstreamId: string, now: Date): Pending | null {
  const [from = 0, until = 0] = upstreamId.split(":").map(Number);
  const remainingSeconds = (until - now.getTime()) / 1000;
  if (until === Infinity) return { state: "pending", upstreamId, progress: null, pollAfterSeconds: 2 };
  // A clock far behind the start was set back; the waiting time is unknown, so the wait ends.
  if (remainingSeconds <= 0 || now.getTime() < from - MAX_SKEW_MS) return null;
  const progress = (now.getTime() - from) / (until - from);
  return {
    state: "pending",
    upstreamId,
    progress: Math.min(0.99, Math.max(0, Math.floor(progress * 100) / 100)),
    // About twenty progress updates, at most two per second.
    pollAfterSeconds: Math.min(remainingSeconds, Math.max(0.5, (until - from) / 20_000)),
  };
}

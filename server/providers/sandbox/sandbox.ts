import { InputUnavailable } from "../input-unavailable";
import type { Failure, Job, JobState, Provider, ProviderIo } from "../provider";
import { drawPicture } from "./draw";
import { Input } from "./input";
import { readColours } from "./character";
import { parseScript } from "./script";
import { answerChat } from "./text/chat";
import { getWaitState, buildWaitId } from "./wait";

/** A provider without keys or network, with prompts for every outcome of a job, for building and testing clients. */
export const sandbox = {
  chat: answerChat,
  submit: startJob,
  submitTimeoutMs: 20_000,

  // The sandbox is stateless: the outcome of a job follows from the job itself.
  recover: startJob,

  poll: (job, upstreamId, io) => pollJob(job, upstreamId, io),
} satisfies Provider;

async function startJob(job: Job, io: ProviderIo): Promise<JobState> {
  const { fails, seconds } = parseScript(Input.parse(job.input).prompt);
  if (fails === "always")
    return failed({ code: "provider_error", message: "The prompt says [fail].", retryable: false });
  if (fails === "first" && job.attempt === 1) {
    return failed({ code: "provider_error", message: "The prompt says [flaky].", retryable: true });
  }
  return seconds > 0 ? pollJob(job, buildWaitId(job.openedAt, seconds), io) : buildResult(job, io);
}

const pollJob = async (job: Job, upstreamId: string, io: ProviderIo): Promise<JobState> =>
  getWaitState(upstreamId, io.now()) ?? buildResult(job, io);

async function buildResult(job: Job, io: ProviderIo): Promise<JobState> {
  const input = Input.parse(job.input);
  try {
    const colours = input.character ? await readColours(input.character, io) : [];
    const picture = await drawPicture(input, io, colours);
    return { state: "succeeded", outputs: [{ mediaType: `image/${input.format}`, content: yieldOnce(picture) }] };
  } catch (error) {
    if (!(error instanceof InputUnavailable)) throw error;
    return failed({ code: "input_unavailable", message: error.message, retryable: error.retryable });
  }
}

const failed = (error: Failure): JobState => ({ state: "failed", error, started: true });

async function* yieldOnce(content: Buffer): AsyncGenerator<Buffer> {
  yield content;
}

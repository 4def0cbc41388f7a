import { InputUnavailable } from "../input-unavailable";
import type { Failure, Job, JobState, Provider, ProviderIo } from "../provider";
import { drawPicture } from "./draw";
import { Input } from "./input";
import { readColours } from "./character";
import { parseScript } from "./script";
import { answerChat } from "./text/chat";
import { getWaitState, buildWaitId } from "./wait";

/** Pictures and answers without key or network, and every way in which a job can go, for those who build against the hub. */
export const sandbox = {
  chat: answerChat,
  submit: start,
  submitTimeoutMs: 20_000,

  // It keeps nothing: what a job came to follows from the job.
  recover: start,

  poll: (job, upstreamId, io) => proceed(job, upstreamId, io),
} satisfies Provider;

async function start(job: Job, io: ProviderIo): Promise<JobState> {
  const { fails, seconds } = parseScript(Input.parse(job.input).prompt);
  if (fails === "always")
    return failed({ code: "provider_error", message: "The prompt says [fail].", retryable: false });
  if (fails === "first" && job.attempt === 1) {
    return failed({ code: "provider_error", message: "The prompt says [flaky].", retryable: true });
  }
  return seconds > 0 ? proceed(job, buildWaitId(job.openedAt, seconds), io) : deliver(job, io);
}

const proceed = async (job: Job, upstreamId: string, io: ProviderIo): Promise<JobState> =>
  getWaitState(upstreamId, io.now()) ?? deliver(job, io);

async function deliver(job: Job, io: ProviderIo): Promise<JobState> {
  const input = Input.parse(job.input);
  try {
    const colours = input.character ? await readColours(input.character, io) : [];
    const picture = await drawPicture(input, io, colours);
    return { state: "succeeded", outputs: [{ mediaType: `image/${input.format}`, content: once(picture) }] };
  } catch (error) {
    if (!(error instanceof InputUnavailable)) throw error;
    return failed({ code: "input_unavailable", message: error.message, retryable: error.retryable });
  }
}

const failed = (error: Failure): JobState => ({ state: "failed", error, started: true });

async function* once(content: Buffer): AsyncGenerator<Buffer> {
  yield content;
}

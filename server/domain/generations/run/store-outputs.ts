import { setTimeout as delay } from "node:timers/promises";
import { megapixelsOf } from "../../../catalogue/megapixels";
import { isAppError } from "../../../errors";
import { runPictureTask } from "../../../lib/pictures/picture-thread";
import type { Failure } from "../../../providers/failure";
import { DownloadFailed } from "../../../providers/http/download-failed";
import type { JobState, ProviderOutput } from "../../../providers/job";
import { ProviderError } from "../../../providers/provider-error";
import { inspectContent, type InspectedContent } from "../../content";
import { storeOutput } from "../../files";
import { computeCost, type Price, type Usage } from "../../pricing";
import { reportChange } from "../changes";
import { MAX_OUTPUTS, outputTooLarge } from "../row";
import type { RunHub } from "./hub";
import { type AttemptContext, attemptCost, type NextAction, timeLeftMs } from "./next-action";

/** The delay before a broken download is retried once; `deliverOutputs` retries further. */
const RETRY_DELAY_MS = 500;
/** How long downloads may take that begin just before the deadline, and any others. */
const MIN_DOWNLOAD_MS = 30_000;
const MAX_DOWNLOAD_MS = 3_600_000;

type Succeeded = Extract<JobState, { state: "succeeded" }>;

/** What was stored of a success. */
interface Stored {
  pictures: number;
  /** Of all pictures together, each rounded up; null when a size could not be read. */
  megapixels: number | null;
}

/**
 * Stores a provider's outputs, which become visible with the generation's success, and prices what was delivered. Throws
 * when the storage is unavailable, or the provider's outputs cannot be downloaded for now.
 */
export async function storeOutputs(hub: RunHub, context: AttemptContext, state: Succeeded): Promise<NextAction> {
  const { generation } = context;
  const end = { upstreamStatus: state.upstreamStatus };
  try {
    if (state.outputs.length === 0 || state.outputs.length > MAX_OUTPUTS) throw new ProviderError(unusableOutput);
    await hub.storage.checkRoom();
    const stored = await storeAll(hub, context, state.outputs);
    const usage: Usage = { ...state.usage, pictures: stored.pictures, megapixels: stored.megapixels ?? undefined };
    return {
      next: "succeed",
      outputs: state.outputs.length,
      units: { images: stored.pictures, seconds: usage.seconds, gpuSeconds: usage.computeSeconds },
      cost: computeCost(generation.price as Price, generation.estimated_cost, usage).toString(),
      attempt: {
        ...end,
        outcome: "succeeded",
        cost: attemptCost(hub, context, state, usage),
      },
    };
  } catch (error) {
    const failure = error instanceof ProviderError ? error.failure : isTooLarge(error) ? outputTooLarge : null;
    if (!failure) throw error;
    const cost = attemptCost(hub, context, state);
    return { next: "fail", error: failure, attempt: { ...end, outcome: "failed", cause: "job", cost } };
  }
}

const isTooLarge = (error: unknown): boolean => isAppError(error) && error.code === "payload_too_large";

async function storeAll(hub: RunHub, context: AttemptContext, outputs: ProviderOutput[]): Promise<Stored> {
  const stored: Stored = { pictures: 0, megapixels: 0 };
  const leftMs = timeLeftMs(hub, context.generation, context.attempt.delivered_at);
  const endsAt = performance.now() + Math.min(Math.max(leftMs, MIN_DOWNLOAD_MS), MAX_DOWNLOAD_MS);
  for (const [index, output] of outputs.entries()) {
    const megapixels = await storeWithRetry(hub, context, { index, endsAt }, output);
    // The end of the generation reports the last one.
    if (index < outputs.length - 1) reportChange(hub, context.generation.id);
    if (megapixels === "no picture") continue;
    stored.pictures += 1;
    stored.megapixels = stored.megapixels === null || megapixels === null ? null : stored.megapixels + megapixels;
  }
  return stored;
}

/** Stores one output, whose download may break off, and returns its megapixels if it is a picture. */
async function storeWithRetry(
  hub: RunHub,
  { generation, signal }: AttemptContext,
  { index, endsAt }: { index: number; endsAt: number },
  { mediaType, read }: ProviderOutput,
): Promise<number | null | "no picture"> {
  const target = { generationId: generation.id, accountId: generation.account_id, index };
  for (let tries = 0; ; tries += 1) {
    try {
      let megapixels: number | null | "no picture" = "no picture";
      await read(async (content) => {
        const inspected = await inspectContent(passUntil(content, endsAt));
        const type = outputType(inspected, mediaType);
        if (type === null) throw new ProviderError(unusableOutput);
        if (type.startsWith("image/")) megapixels = await measureMegapixels(inspected);
        await storeOutput(hub, target, { mediaType: type, content: inspected.content });
      });
      return megapixels;
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof ProviderError || isTooLarge(error) || tries > 0) throw error;
      await delay(RETRY_DELAY_MS, undefined, { signal });
    }
  }
}

/** Returns the megapixels of a picture by its header, rounded up; null when it cannot be read. */
async function measureMegapixels({ head }: InspectedContent): Promise<number | null> {
  const { width, height } = await runPictureTask("header", new Uint8Array(head), { failOn: "none" }).catch(() => ({
    width: 0,
    height: 0,
  }));
  return width && height ? megapixelsOf(width, height) : null;
}

/** Media types that no first bytes show, and that are therefore taken from the provider. */
const DECLARED_TYPES =
  /^(application\/(json|octet-stream|zip|x-tar|gzip)|text\/(plain|vtt|srt)|image\/svg\+xml|audio\/(pcm|l16|aac|opus|basic)|model\/[\w.+-]+)$/;
const MARKUP = /^\s*(<!doctype html|<html|<head|<body)/i;

/**
 * Returns the media type of a provider's output: what its content shows, otherwise what the provider says if that is
 * plausible. Null for an empty content, a web page, and one that is not what the provider says.
 */
export function outputType({ head, type }: InspectedContent, declared: string | null): string | null {
  if (type !== null) return type;
  if (head.length === 0 || MARKUP.test(head.toString("latin1", 0, 256))) return null;
  const [essence = ""] = (declared ?? "").toLowerCase().split(";");
  return DECLARED_TYPES.test(essence.trim()) ? essence.trim() : null;
}

const unusableOutput: Failure = {
  code: "invalid_output",
  message: "The provider's output is not what it should be.",
  retryable: true,
};

/** Passes content through. Throws DownloadFailed when it has not ended at `endsAt`, a time of `performance.now()`. */
export async function* passUntil(content: AsyncIterable<Uint8Array>, endsAt: number): AsyncGenerator<Uint8Array> {
  const chunks: AsyncIterator<Uint8Array, unknown> = content[Symbol.asyncIterator]();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const onLate = () => reject(new DownloadFailed("an output's download takes too long"));
    timer = setTimeout(onLate, endsAt - performance.now());
  });
  // It may reject while nothing awaits it.
  late.catch(() => undefined);
  try {
    for (;;) {
      const { done, value } = await Promise.race([chunks.next(), late]);
      if (done) return;
      yield value;
    }
  } finally {
    clearTimeout(timer);
    // Not awaited, because it would wait for the late chunk.
    void chunks.return?.().catch(() => undefined);
  }
}

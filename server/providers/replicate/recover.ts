import { z } from "zod";
import { parseResponseUrl } from "../http/api";
import { ApiError } from "../http/call-api";
import { assertReadable } from "../http/describe-rejection";
import type { Job, JobState } from "../job";
import type { ProviderIo } from "../provider";
import { PredictionId, readApi } from "./api";
import { pollPrediction } from "./poll";

const MAX_PAGES = 20;
/** By how much the clocks of the hub and of Replicate may differ, together with the time of a submit. */
const MAX_SKEW_MS = 120_000;

const Page = z.object({
  next: z.string().nullish().catch(null),
  results: z.array(z.object({ id: PredictionId, webhook: z.string().catch("") })),
});

/**
 * Returns the state of the prediction whose webhook names the attempt. One that the list does not show may have been
 * created all the same, so its absence proves nothing.
 */
export async function recoverPrediction(job: Job, io: ProviderIo): Promise<JobState | "unknown"> {
  const id = job.callbackUrl === null ? null : await findPrediction(job, io).catch(giveUpIfTooLarge);
  return id === null ? "unknown" : pollPrediction(job, id, io);
}

async function findPrediction({ attemptId, openedAt, route }: Job, io: ProviderIo): Promise<string | null> {
  let query = buildQuery(openedAt);
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const response = await readApi(route.provider, io, `/predictions${query}`);
    assertReadable(response);
    const { data } = Page.safeParse(response.body);
    const found = data?.results.find(({ webhook }) => webhook.includes(attemptId));
    // Only the cursor counts: where a proxy serves the API, the link leads past it.
    const next = parseResponseUrl(data?.next);
    if (found || !next) return found?.id ?? null;
    query = next.search;
  }
  return null;
}

/** Returns null for a page that is too large now and will be so later. */
function giveUpIfTooLarge(error: unknown): null {
  if (error instanceof ApiError && error.isTooLarge) return null;
  throw error;
}

function buildQuery(openedAt: Date): string {
  const toTime = (ms: number) => new Date(openedAt.getTime() + ms).toISOString();
  return `?${new URLSearchParams({ created_after: toTime(-MAX_SKEW_MS), created_before: toTime(MAX_SKEW_MS) })}`;
}

import { z } from "zod";
import type { ProviderSettings } from "../../catalogue/model";
import { findApiUrl, parseResponseUrl } from "../http/api";
import { ApiError, type ApiResponse, callApi } from "../http/call-api";
import { assertReadable } from "../http/describe-rejection";
import type { ProviderIo } from "../provider";
import { bflApi } from "./api";
import type { Handle } from "./handle";

const MAX_REDIRECTS = 2;

/** The status of a job that upstream does not know, or no longer; its response may have the status 404. */
export const NOT_FOUND = "Task not found";

const resultSchema = z.object({
  status: z.string(),
  result: z.object({ sample: z.string() }).nullish().catch(null),
  progress: z.number().min(0).max(1).nullish().catch(null),
});

/** Returns what upstream says about a job. Throws ApiError when that cannot be read for now. */
export async function fetchResult(provider: ProviderSettings, { id, pollingUrl }: Handle, io: ProviderIo) {
  const ownUrl = findApiUrl(bflApi, provider, `/v1/get_result?id=${encodeURIComponent(id)}`)!;
  const response = await getWithRedirects(provider, findApiUrl(bflApi, provider, pollingUrl) ?? ownUrl, io);
  const { data } = resultSchema.safeParse(response.body);
  if (data?.status !== NOT_FOUND) assertReadable(response);
  if (!data) throw new ApiError("unknown", "The provider's state could not be read.");
  return data;
}

/** Sends a request, and again where upstream redirects it to within its API. */
async function getWithRedirects(provider: ProviderSettings, first: URL, io: ProviderIo): Promise<ApiResponse> {
  let url = first;
  for (let redirects = 0; ; redirects += 1) {
    const response = await callApi(bflApi, provider, io, { url: url.href });
    if (response.status < 300 || response.status >= 400 || redirects === MAX_REDIRECTS) return response;
    const next = findApiUrl(bflApi, provider, parseResponseUrl(response.headers.location, url.href)?.href);
    if (!next) return response;
    url = next;
  }
}

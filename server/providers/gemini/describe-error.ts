import { z } from "zod";
import type { ProviderSettings } from "../../catalogue/model";
import type { ApiResponse } from "../http/call-api";
import { describeRejection, parseRetryAfter } from "../http/describe-rejection";
import type { FailedJob } from "../job";

const text = z.string().optional().catch(undefined);

const errorSchema = z.object({
  error: z.object({
    message: text,
    status: text,
    details: z.array(z.object({ reason: text, retryDelay: text }).catch({})).catch([]),
  }),
});

type GeminiError = z.infer<typeof errorSchema>["error"];

/** Returns Google's error in a response; empty if there is none. */
export const parseError = (body: unknown): GeminiError => errorSchema.safeParse(body).data?.error ?? { details: [] };

/** Returns whether an error is about the key, or about what its project may use. Both have the status 400. */
export const isAccountError = ({ status, details }: GeminiError): boolean =>
  status === "FAILED_PRECONDITION" || details.some(({ reason }) => reason === "API_KEY_INVALID");

/** Returns the failure of a submit whose response has an unsuccessful status. */
export function describeError(response: ApiResponse, provider: ProviderSettings): FailedJob {
  const { status } = response;
  const error = parseError(response.body);
  const isAccount = status === 400 && isAccountError(error);
  const failure = describeRejection(isAccount ? { ...response, status: 403 } : response, provider, error.message);
  return { ...failure, upstreamStatus: status, retryAfter: failure.retryAfter ?? parseRetryDelay(error) };
}

/** Returns the whole seconds of a `RetryInfo` such as `17.2s`. */
function parseRetryDelay({ details }: GeminiError): number | undefined {
  const delay = details.find(({ retryDelay }) => retryDelay !== undefined)?.retryDelay;
  const [, seconds] = /^(\d{1,6}(?:\.\d{1,3})?)\d*s$/.exec(delay ?? "") ?? [];
  return seconds === undefined ? undefined : parseRetryAfter({ "retry-after": seconds });
}

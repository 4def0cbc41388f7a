import { isObject } from "../../lib/is-object";
import { withTimeout } from "../../lib/with-timeout";
import type { CountCall } from "../chat-call";
import { parseJson } from "../http/call-api";
import { getConnection } from "../http/connection";
import { readResponseBody } from "../http/read-response-body";
import { basePathOf, headersOf } from "./endpoint";

const TIMEOUT_MS = 10_000;
const BOUNDS = { maxBytes: 64 * 1024, maxDepth: 16, maxValues: 1_000 };
const MAX_TOKENS = 100_000_000;

/** Members of a request of Messages that its endpoint for counting takes too. */
const MEMBERS =
  "model messages system tools tool_choice thinking output_config output_format cache_control context_management".split(
    " ",
  );

/** Returns the tokens of a prompt as Anthropic counts them, which is free; null if it does not within ten seconds. */
export async function countTokens(call: CountCall, signal: AbortSignal): Promise<number | null> {
  if (call.dialect !== "messages") return null;
  try {
    return await withTimeout(TIMEOUT_MS, signal, (limited) => requestCount(call, limited));
  } catch {
    return null;
  }
}

async function requestCount({ body, headers, route, isLarge, json }: CountCall, signal: AbortSignal) {
  const counted = Object.fromEntries(
    MEMBERS.filter((name) => Object.hasOwn(body, name)).map((name) => [name, body[name]]),
  );
  const response = await getConnection(route.provider).pool.request({
    method: "POST",
    path: `${basePathOf(route.provider)}/messages/count_tokens`,
    headers: { ...headersOf(route.provider), ...headers, accept: "application/json" },
    body: await json.stringify(counted, { isLarge }),
    signal,
  });
  const answer = await parseJson(json, await readResponseBody(response, BOUNDS));
  const tokens = response.statusCode === 200 && isObject(answer) ? answer.input_tokens : null;
  return Number.isInteger(tokens) && Number(tokens) > 0 && Number(tokens) <= MAX_TOKENS ? Number(tokens) : null;
}

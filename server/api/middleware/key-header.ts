import { AppError } from "../../errors";
import type { Envelope } from "../operation";

/** Headers in which programs for Azure and Anthropic send a key. */
const KEY_HEADERS = ["x-api-key", "api-key"];

/**
 * Returns the Authorization header of a request, null without one; under `/v1` a key in another header counts as one. Throws
 * 401 for keys that differ, because it is unclear who is calling.
 */
export function readKeyHeader(envelope: Envelope, headers: Headers): string | null {
  const authorization = headers.get("authorization");
  if (envelope !== "openai") return authorization;
  const keys = KEY_HEADERS.flatMap((name) => headers.get(name)?.trim() || []);
  const sent = new Set([...(authorization === null ? [] : [authorization.replace(/^bearer +/i, "")]), ...keys]);
  if (sent.size > 1)
    throw new AppError("unauthorized", "Send one API key: Authorization, x-api-key and api-key have different ones.");
  return authorization ?? (keys[0] === undefined ? null : `Bearer ${keys[0]}`);
}

import type { Job } from "../job";
import { deriveWebhookSecret } from "./webhook-secret";

const DATA_URI_HEADER = /^data:[\w.+-]+\/[\w.+-]+;base64,/;

/**
 * Returns the body of a submit: the input, with files as plain base64, and where to call back. A route whose model does
 * not know `webhook_url` sets it to null.
 */
export function buildRequest({ input, callbackUrl, attemptId, route }: Job): Record<string, unknown> {
  const { webhook_url: ownUrl, ...parameters } = input;
  const body = stripDataUris(parameters) as Record<string, unknown>;
  if (callbackUrl === null || ownUrl === null) return body;
  const secret = deriveWebhookSecret(route.provider, attemptId);
  return { ...body, webhook_url: callbackUrl, ...(secret !== null && { webhook_secret: secret }) };
}

/** Returns a value in which the data URIs, at any depth, are without their header. */
function stripDataUris(value: unknown): unknown {
  if (typeof value === "string") return value.replace(DATA_URI_HEADER, "");
  if (Array.isArray(value)) return value.map(stripDataUris);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, stripDataUris(member)]));
}

import type { Hub } from "../../context";
import { isOutboundError } from "../../lib/safe-fetch";
import type { ClaimedDelivery } from "./claim";
import { buildEnvelope, renderEvent } from "./render";
import type { AttemptResult } from "./classify-response";
import { decryptWebhookSecret } from "./secret";
import { signatureHeaders } from "./sign";

/** How long an attempt may take in all. */
export const ATTEMPT_TIMEOUT_MS = 15_000;
const MAX_BYTES = 65_536;
const KEPT_BYTES = 1_024;

/** Posts a delivery to its endpoint, once. Never throws for what the receiver does. */
export async function sendDelivery(hub: Hub, claim: ClaimedDelivery, at: Date): Promise<AttemptResult> {
  const body = buildEnvelope(claim.id, claim, await renderEvent(hub, claim));
  const secrets = openSecrets(hub, claim);
  if (secrets.length === 0) return failed(0, "The hub cannot read this endpoint's secret. Rotate it.");
  const began = performance.now();
  const elapsed = () => Math.round(performance.now() - began);
  try {
    const answer = await hub.fetch(claim.url, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "accept-encoding": "identity",
        "user-agent": "Generation-Hub/1",
        ...signatureHeaders(secrets, { id: claim.id, event: claim.name, body, at }),
      },
      body,
      timeoutMs: ATTEMPT_TIMEOUT_MS,
      maxBytes: MAX_BYTES,
      whenLarger: "cut",
      schemes: ["https:"],
    });
    const { status, headers } = answer;
    const retryAfter = headers["retry-after"] ?? null;
    return { durationMs: elapsed(), status, error: null, response: excerpt(answer.body), retryAfter };
  } catch (error) {
    if (!isOutboundError(error)) throw error;
    return failed(elapsed(), error.message);
  }
}

const failed = (durationMs: number, error: string): AttemptResult => ({
  durationMs,
  error,
  status: null,
  response: null,
  retryAfter: null,
});

/** Those that open: one that was sealed under another HUB_SECRET signs nothing, until it is rotated away. */
function openSecrets(hub: Hub, { endpoint_id, secret, previous_secret }: ClaimedDelivery): string[] {
  const open = (sealed: Buffer) => {
    try {
      return [decryptWebhookSecret(hub, endpoint_id, sealed)];
    } catch (error) {
      hub.log.error({ err: error, endpoint: endpoint_id }, "a webhook secret cannot be opened");
      return [];
    }
  };
  const newest = open(secret);
  return newest.length > 0 && previous_secret ? [...newest, ...open(previous_secret)] : newest;
}

// Whatever the receiver sent, it must fit into a text column.
const excerpt = (body: Buffer): string => body.subarray(0, KEPT_BYTES).toString("utf8").replaceAll("\0", "\uFFFD");

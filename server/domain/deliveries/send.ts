import { isOutboundError } from "../../lib/safe-fetch";
import { startStopwatch } from "../../lib/stopwatch";
import type { ClaimedDelivery } from "./claim";
import { buildEnvelope, renderEvent } from "../envelopes";
import { decryptWebhookSecret } from "../webhook-secrets";
import type { AttemptResult } from "./classify-response";
import type { DeliveriesHub } from "./hub";
import { signatureHeaders } from "./sign";

/** The total time limit of an attempt. */
export const ATTEMPT_TIMEOUT_MS = 15_000;
/** How long an attempt may wait before that while too many others to its host, which may be other customers', are under way. */
const MAX_WAIT_MS = 5_000;
const MAX_RESPONSE_BYTES = 65_536;
const MAX_STORED_BYTES = 1_024;

/**
 * Posts a delivery to its endpoint once. Errors of the receiver are part of the result and never thrown. Returns null when
 * nothing was sent, because too many other requests to its host are under way.
 */
export async function sendDelivery(
  hub: DeliveriesHub,
  claim: ClaimedDelivery,
  at: Date,
): Promise<AttemptResult | null> {
  const body = buildEnvelope(claim.id, claim, await renderEvent(hub, claim));
  const secrets = decryptSecrets(hub, claim);
  if (secrets.length === 0) return toFailedResult(0, "The hub cannot read this endpoint's secret. Rotate it.");
  let stopwatch = startStopwatch();
  const restartStopwatch = () => {
    stopwatch.stop();
    stopwatch = startStopwatch();
  };
  try {
    const response = await hub.fetch(claim.url, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "accept-encoding": "identity",
        "user-agent": "Generation-Hub/1",
        ...hub.tracing?.headers(),
        ...signatureHeaders(secrets, { id: claim.id, event: claim.name, body, at }),
      },
      body,
      timeoutMs: ATTEMPT_TIMEOUT_MS,
      maxWait: { ms: MAX_WAIT_MS, onEnd: restartStopwatch },
      maxBytes: MAX_RESPONSE_BYTES,
      whenLarger: "cut",
      schemes: ["https:"],
      connectionKey: claim.endpoint_id,
    });
    const { status, headers } = response;
    const retryAfter = headers["retry-after"] ?? null;
    hub.tracing?.annotate({ "http.response.status_code": status });
    if (status >= 300) hub.tracing?.setErrorType(String(status));
    return { durationMs: stopwatch.stop(), status, error: null, response: excerpt(response.body), retryAfter };
  } catch (error) {
    const durationMs = stopwatch.stop();
    if (!isOutboundError(error)) throw error;
    if (error.reason === "not_sent") return null;
    hub.tracing?.setErrorType("unreachable");
    return toFailedResult(durationMs, error.message);
  }
}

const toFailedResult = (durationMs: number, error: string): AttemptResult => ({
  durationMs,
  error,
  status: null,
  response: null,
  retryAfter: null,
});

/** Returns the secrets that can be decrypted, the newest first; none if HUB_SECRET has changed and the secret must be rotated. */
function decryptSecrets(hub: DeliveriesHub, claim: ClaimedDelivery): string[] {
  const { endpoint_id, secret, secret_owner, previous_secret } = claim;
  const tryDecrypt = (encrypted: Buffer) => {
    try {
      return [decryptWebhookSecret(hub, secret_owner, encrypted)];
    } catch (error) {
      hub.log.error({ err: error, endpoint: endpoint_id }, "webhook secret not decrypted");
      return [];
    }
  };
  const newest = secret ? tryDecrypt(secret) : [];
  return newest.length > 0 && previous_secret ? [...newest, ...tryDecrypt(previous_secret)] : newest;
}

// Postgres text columns cannot store NUL characters.
const excerpt = (body: Buffer): string =>
  body.subarray(0, MAX_STORED_BYTES).toString("utf8").replaceAll("\0", "\uFFFD");

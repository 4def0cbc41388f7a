import { setTimeout as sleep } from "node:timers/promises";
import { signatureHeaders } from "../domain/webhooks/sign";
import type { Envelope } from "./follow-feed";

interface Receiver {
  target: string;
  secret: string;
  print: (line: string) => void;
  signal?: AbortSignal;
}

const RETRY_INTERVAL_MS = 1_000;
const TIMEOUT_MS = 15_000;

/** Posts one event like a webhook delivery, retries until the target responds, and prints the status of the response. */
export async function forwardEvent(envelope: Envelope, { target, secret, print, signal }: Receiver): Promise<void> {
  const { id, event, data } = envelope;
  const body = JSON.stringify(envelope);
  const name = `${event} ${data.id} (${data.status})`;
  for (let isReported = false; ; isReported = true) {
    const startedAt = performance.now();
    const timeout = AbortSignal.timeout(TIMEOUT_MS);
    const response = await fetch(target, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        ...signatureHeaders([secret], { id, event, body, at: new Date() }),
      },
      body,
      redirect: "manual",
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    }).catch(() => {
      signal?.throwIfAborted();
      return null;
    });
    if (response) {
      await response.body?.cancel();
      return print(`${name}: ${response.status} in ${Math.round(performance.now() - startedAt)} ms`);
    }
    if (!isReported) print(`${name}: no response from ${target}; retrying.`);
    await sleep(RETRY_INTERVAL_MS, undefined, { signal });
  }
}

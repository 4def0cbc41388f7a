import { setTimeout as sleep } from "node:timers/promises";
import { signatureHeaders } from "../domain/webhooks/sign";
import type { Envelope } from "./follow-feed";

interface Receiver {
  target: string;
  secret: string;
  say: (line: string) => void;
  signal?: AbortSignal;
}

const PAUSE_MS = 1_000;
const TIMEOUT_MS = 15_000;

/** Posts one event as a webhook would, again and again until somebody answers, and says what was answered. */
export async function forwardEvent(envelope: Envelope, { target, secret, say, signal }: Receiver): Promise<void> {
  const { id, event, data } = envelope;
  const body = JSON.stringify(envelope);
  const name = `${event} ${data.id} (${data.status})`;
  for (let silent = false; ; silent = true) {
    const began = performance.now();
    const limit = AbortSignal.timeout(TIMEOUT_MS);
    const response = await fetch(target, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        ...signatureHeaders([secret], { id, event, body, at: new Date() }),
      },
      body,
      redirect: "manual",
      signal: signal ? AbortSignal.any([signal, limit]) : limit,
    }).catch(() => {
      signal?.throwIfAborted();
      return null;
    });
    if (response) {
      await response.body?.cancel();
      return say(`${name}: ${response.status} in ${Math.round(performance.now() - began)} ms`);
    }
    if (!silent) say(`${name}: nobody answers at ${target}; trying again.`);
    await sleep(PAUSE_MS, undefined, { signal });
  }
}

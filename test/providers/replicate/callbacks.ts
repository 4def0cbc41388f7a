import { randomBytes, randomUUID } from "node:crypto";
import { Webhook } from "standardwebhooks";
import type { Callback } from "../callbacks";

/** A callback as it was sent. */
export interface SentCallback extends Callback {
  /** The receiver's; null if there was no response. */
  status: number | null;
}

/** What happens to callbacks; `early` ones come before the response to the submit. */
export type CallbackMode = "sent" | "lost" | "doubled" | "forged" | "early";

export const createSecret = (): string => `whsec_${randomBytes(24).toString("base64")}`;

/** Returns a signed webhook. */
export function signCallback(url: string, payload: unknown, secret: string, now: Date): Callback {
  const id = `msg_${randomUUID()}`;
  const body = JSON.stringify(payload);
  const headers = {
    "content-type": "application/json",
    "webhook-id": id,
    "webhook-timestamp": String(Math.floor(now.getTime() / 1000)),
    "webhook-signature": new Webhook(secret).sign(id, now, body),
  };
  return { url, headers, body };
}

/** Sends a signed webhook, once for each copy with the same id, and returns what was sent. */
export async function sendCallback(
  url: string,
  payload: unknown,
  { secret, mode, now }: { secret: string; mode: CallbackMode; now: Date },
): Promise<SentCallback[]> {
  if (mode === "lost") return [];
  const { headers, body } = signCallback(url, payload, mode === "forged" ? createSecret() : secret, now);
  const sent: SentCallback[] = [];
  for (let copies = mode === "doubled" ? 2 : 1; copies > 0; copies -= 1) {
    const signal = AbortSignal.timeout(5_000);
    const request = fetch(url, { method: "POST", headers, body, signal, redirect: "manual" });
    sent.push({
      url,
      headers,
      body,
      status: await request.then(
        ({ status }) => status,
        () => null,
      ),
    });
  }
  return sent;
}

import { randomBytes, randomUUID } from "node:crypto";
import { Webhook } from "standardwebhooks";

/** A callback as it was sent. */
export interface SentCallback {
  url: string;
  headers: Record<string, string>;
  body: string;
  /** The receiver's; null if there was no response. */
  status: number | null;
}

/** What happens to callbacks; `early` ones come before the response to the submit. */
export type CallbackMode = "sent" | "lost" | "doubled" | "forged" | "early";

export const createSecret = (): string => `whsec_${randomBytes(24).toString("base64")}`;

/** Sends a signed webhook, once for each copy with the same id, and returns what was sent. */
export async function sendCallback(
  url: string,
  payload: unknown,
  { secret, mode, now }: { secret: string; mode: CallbackMode; now: Date },
): Promise<SentCallback[]> {
  if (mode === "lost") return [];
  const id = `msg_${randomUUID()}`;
  const body = JSON.stringify(payload);
  const headers = {
    "content-type": "application/json",
    "webhook-id": id,
    "webhook-timestamp": String(Math.floor(now.getTime() / 1000)),
    "webhook-signature": new Webhook(mode === "forged" ? createSecret() : secret).sign(id, now, body),
  };
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

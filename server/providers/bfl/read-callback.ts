import { createHmac, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import { AppError } from "../../errors";
import { parseJson } from "../http/call-api";
import type { CallbackReport, CallbackRequest, CallbackTarget, ProviderIo } from "../provider";
import { formatHandle } from "./handle";
import { deriveWebhookSecret } from "./webhook-secret";

const callbackSchema = z.object({ id: z.string().min(1).max(200) });

/** Reads the id of a job that has ended from its callback. Throws AppError `unauthorized` if it is not signed. */
export async function readCallback(
  { headers, body }: CallbackRequest,
  { attemptId, route }: CallbackTarget,
  io: ProviderIo,
): Promise<CallbackReport> {
  const secret = deriveWebhookSecret(route.provider, attemptId);
  if (secret !== null && !isSignature(headers.get("x-bfl-signature"), secret, body))
    throw new AppError("unauthorized", "The callback is not signed by the provider.");
  const callback = callbackSchema.safeParse(await parseJson(io.json, new Uint8Array(body)));
  return callback.success ? { upstreamId: formatHandle({ id: callback.data.id, pollingUrl: null }) } : {};
}

function isSignature(header: string | null, secret: string, body: Buffer): boolean {
  const [, hex] = /^sha256=([0-9a-f]{64})$/i.exec(header ?? "") ?? [];
  const expected = createHmac("sha256", secret).update(body).digest();
  return hex !== undefined && timingSafeEqual(Buffer.from(hex, "hex"), expected);
}

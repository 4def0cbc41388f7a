import { createHmac, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import { AppError } from "../../errors";
import { parseJson } from "../http/call-api";
import { checkAccess } from "../http/check-access";
import type { CallbackReport, CallbackRequest, CallbackTarget, Provider, ProviderIo } from "../provider";
import { bflApi, deriveWebhookSecret, formatHandle } from "./api";
import { pollJob } from "./poll-job";
import { submitJob } from "./submit-job";

const creditsSchema = z.object({ credits: z.number() });

/**
 * Black Forest Labs' own API. It has no list of jobs, so only a callback finds the job of an interrupted submit, and no
 * way to cancel one.
 */
export const bfl = {
  defaultBaseUrl: "https://api.bfl.ai",
  inputModes: ["link", "inline"],
  submit: submitJob,
  poll: pollJob,
  callback: readCallback,

  check: ({ provider }, io) =>
    checkAccess(bflApi, provider, io, "/v1/credits", ({ status, body }) => {
      // A malformed key is answered with 422.
      if (status === 422) return "The provider rejects the key.";
      const credits = creditsSchema.safeParse(body).data?.credits;
      return credits !== undefined && credits <= 0 ? "The account at the provider has no credits." : undefined;
    }),
} satisfies Provider;

const callbackSchema = z.object({ id: z.string().min(1).max(200) });

/** Reads the id of a job that has ended from its callback. Throws AppError `unauthorized` if it is not signed. */
async function readCallback(
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

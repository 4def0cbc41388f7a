import { z } from "zod";
import type { ProviderSettings } from "../../catalogue/model";
import { AppError } from "../../errors";
import { memoizePer } from "../../lib/memoize-per";
import { isEqualConstantTime } from "../../lib/signature";
import { signMessage } from "../../lib/standard-webhooks";
import { ApiError, parseJson } from "../http/call-api";
import { assertReadable } from "../http/describe-rejection";
import type { CallbackReport, CallbackRequest, CallbackTarget, ProviderIo } from "../provider";
import { PredictionId, readApi } from "./api";

const MAX_AGE_MS = 300_000;
/** A secret is not read again sooner, so that forged callbacks do not use up the account's rate limit. */
const MIN_SECRET_AGE_MS = 60_000;

/** The signing secret of each account, with the time at which it was read. */
const getCachedSecret = memoizePer<ProviderSettings, { text: string; readAt: number }>(() => ({ text: "", readAt: 0 }));

const Body = z.object({ id: PredictionId, webhook: z.string().nullish() });

/** Returns the id of the prediction that a signed callback is about. Throws AppError `unauthorized` for any other. */
export async function readCallback(
  request: CallbackRequest,
  { attemptId, route }: CallbackTarget,
  io: ProviderIo,
): Promise<CallbackReport> {
  if (!(await isSigned(request, route.provider, io))) throw unauthorized();
  const { data } = Body.safeParse(await parseJson(io.json, new Uint8Array(request.body)));
  // A copy of another attempt's callback is signed as well.
  if (!data || (data.webhook && !data.webhook.includes(attemptId))) throw unauthorized();
  return { upstreamId: data.id };
}

async function isSigned({ headers, body }: CallbackRequest, provider: ProviderSettings, io: ProviderIo) {
  const id = headers.get("webhook-id") ?? "";
  const timestamp = headers.get("webhook-timestamp") ?? "";
  const signatures = (headers.get("webhook-signature") ?? "").split(" ");
  const now = io.now().getTime();
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(now - Number(timestamp) * 1000) > MAX_AGE_MS) return false;

  const isSignedWith = (secret: string) => {
    const expected = Buffer.from(signMessage(secret, { id, timestamp, body }));
    return signatures.map((text) => Buffer.from(text)).some((one) => isEqualConstantTime(expected, one));
  };
  const secret = getCachedSecret(provider);
  if (secret.text !== "" && isSignedWith(secret.text)) return true;
  if (now - secret.readAt < MIN_SECRET_AGE_MS) return false;
  Object.assign(secret, { text: await readSecret(provider, io), readAt: now });
  return isSignedWith(secret.text);
}

async function readSecret(provider: ProviderSettings, io: ProviderIo): Promise<string> {
  const response = await readApi(provider, io, "/webhooks/default/secret");
  assertReadable(response);
  const { data } = z.object({ key: z.string().regex(/^whsec_[A-Za-z0-9+/]{16,}={0,2}$/) }).safeParse(response.body);
  if (!data) throw new ApiError("unknown", "The provider's webhook secret could not be read.");
  return data.key;
}

const unauthorized = () => new AppError("unauthorized", "The callback is not signed by the provider.");

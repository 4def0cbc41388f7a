import { createHash, verify } from "node:crypto";
import { z } from "zod";
import { AppError } from "../../errors";
import type { CallbackReport, CallbackRequest, CallbackTarget, ProviderIo } from "../provider";
import { requestId, SubmittedJob } from "./job-urls";
import { isSignedByFal } from "./signing-keys";

const MAX_SKEW_SECONDS = 300;
const signedHeaders = ["x-fal-webhook-request-id", "x-fal-webhook-user-id", "x-fal-webhook-timestamp"];

const Report = z.object({ request_id: requestId });

/**
 * Reads a callback that fal has signed. Any customer of fal can have one signed, so that it must be about the attempt's
 * own job; an attempt whose submit returned no id gets the one of the callback.
 */
export async function readCallback(
  request: CallbackRequest,
  { upstreamId, route }: CallbackTarget,
  io: ProviderIo,
): Promise<CallbackReport> {
  const { message, signature } = readSignature(request, io.now());
  if (!(await isSignedByFal(route.provider, io, (key) => verify(null, message, key, signature)))) throw notSigned();
  // What fal has signed is JSON with an id.
  const { request_id } = Report.parse(await io.json.parse(new Uint8Array(request.body), { fatal: false }));
  if (upstreamId === null) return { upstreamId: JSON.stringify({ request_id }) };
  if (SubmittedJob.parse(JSON.parse(upstreamId)).request_id !== request_id) throw notSigned();
  return {};
}

/** Returns what was signed and its signature. Throws AppError when one is missing, malformed or old. */
function readSignature({ headers, body }: CallbackRequest, now: Date): { message: Buffer; signature: Buffer } {
  const values = signedHeaders.map((name) => headers.get(name) ?? "");
  const signature = headers.get("x-fal-webhook-signature") ?? "";
  const timestamp = values[2]!;
  const skewSeconds = Math.abs(now.getTime() / 1000 - Number(timestamp));
  const isFresh = /^\d{1,12}$/.test(timestamp) && skewSeconds <= MAX_SKEW_SECONDS;
  if (values.includes("") || !isFresh || !/^[\da-f]{128}$/i.test(signature)) throw notSigned();
  const digest = createHash("sha256").update(body).digest("hex");
  return { message: Buffer.from([...values, digest].join("\n")), signature: Buffer.from(signature, "hex") };
}

const notSigned = () => new AppError("unauthorized");

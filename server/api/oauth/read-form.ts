import { isStorable } from "../../lib/json/storable";
import { OAuthError } from "../../domain/connections";
import { openAnonymousReservation, readBytes, rejectEncodedBody } from "../middleware/bytes";
import type { RequestContext } from "../request-context";

const MAX_BYTES = 32 * 1024;
const MAX_FIELDS = 30;
const FORM = /^application\/x-www-form-urlencoded *(;|$)/i;

/** Returns the bytes of a request's body, within the hub's budget. */
export async function readSmallBody({ hub, address }: RequestContext, request: Request): Promise<Uint8Array> {
  rejectEncodedBody(request);
  const reservation = openAnonymousReservation(hub, address);
  try {
    return await readBytes(request, MAX_BYTES, reservation);
  } finally {
    reservation.release();
  }
}

/** Returns the fields of a form. Throws OAuthError for another type of body, and for a field that is given twice. */
export async function readForm(context: RequestContext, request: Request): Promise<Record<string, string>> {
  if (!FORM.test(request.headers.get("content-type") ?? ""))
    throw new OAuthError("invalid_request", "The body must be application/x-www-form-urlencoded.");
  const text = new TextDecoder().decode(await readSmallBody(context, request));
  const fields = [...new URLSearchParams(text)];
  const names = new Set(fields.map(([name]) => name));
  if (fields.length > MAX_FIELDS) throw new OAuthError("invalid_request", "The form has too many fields.");
  if (names.size < fields.length) throw new OAuthError("invalid_request", "A field is given more than once.");
  if (!fields.every(([, value]) => isStorable(value)))
    throw new OAuthError("invalid_request", "A field has the character U+0000.");
  return Object.fromEntries(fields);
}

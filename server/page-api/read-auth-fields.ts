import { openAnonymousReservation, readBytes } from "../api/middleware/bytes";
import type { Hub } from "../context";
import { invalidInput } from "../errors";
import { isStorable } from "../lib/json/storable";

const MAX_BODY_BYTES = 64 * 1024;
const MAX_FIELDS = 50;

/**
 * Returns the fields of a form that is posted to sign-in, urlencoded or as a flat JSON object of texts. Throws a 413 or a
 * 400 for anything else: next-auth reads bodies of any size, and fails on other content.
 */
export async function readAuthFields(
  hub: Hub,
  request: Request,
  address: string | null,
): Promise<Record<string, string>> {
  const reservation = openAnonymousReservation(hub, address);
  const read = readBytes(request, MAX_BODY_BYTES, reservation).finally(() => reservation.release());
  const text = new TextDecoder().decode(await read);
  const type = (request.headers.get("content-type") ?? "").split(";")[0]!.trim().toLowerCase();
  if (type === "application/json") return checkFields(parseJson(text));
  if (type === "application/x-www-form-urlencoded" || text === "") {
    return checkFields(Object.fromEntries(new URLSearchParams(text)));
  }
  throw invalidInput("Content-Type", "must be application/x-www-form-urlencoded or application/json");
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalidInput("body", "is not JSON");
  }
}

function checkFields(value: unknown): Record<string, string> {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw invalidInput("body", "must be an object");
  const entries = Object.entries(value);
  if (entries.length > MAX_FIELDS) throw invalidInput("body", `may have at most ${MAX_FIELDS} members`);
  for (const [name, field] of entries)
    if (typeof field !== "string" || !isStorable(field))
      throw invalidInput(name.slice(0, 100).toWellFormed(), "must be a string without \\u0000");
  return value as Record<string, string>;
}

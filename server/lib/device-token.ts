import { parse } from "hono/utils/cookie";
import { newId } from "./id";
import { isSignature, type Secrets, signText } from "./signature";

const DEVICE_COOKIE = "hub.device";
const MAX_AGE_S = 365 * 86_400;

/** A browser on which a person signed in before. */
export interface Device {
  id: string;
  personId: number;
  /** The person's session version at that time: ending all sessions also makes all browsers unknown. */
  version: number;
}

const TOKEN = /^(\d{1,10})\.(\d{1,10})\.([\w-]{36})\.([\w-]{43})$/;

const PURPOSE = "generation-hub devices";

/** Returns the `Set-Cookie` header by which a browser is recognized for a year, and only at sign-in. */
export function deviceCookie(secret: string, { id, sessionVersion }: SignedIn, secure: boolean): string {
  const text = `${id}.${sessionVersion}.${newId()}`;
  const value = `${text}.${signText({ secret }, PURPOSE, text).toString("base64url")}`;
  const attributes = `Max-Age=${MAX_AGE_S}; Path=/api/auth; HttpOnly; SameSite=Lax${secure ? "; Secure" : ""}`;
  return `${DEVICE_COOKIE}=${value}; ${attributes}`;
}

interface SignedIn {
  id: number;
  sessionVersion: number;
}

/** Returns the browser that a request's cookie names; null without one, or when it is not ours. */
export function readDevice(secrets: Secrets, headers: Headers): Device | null {
  const header = headers.get("cookie");
  const [, personId, version, id, signature] =
    TOKEN.exec((header && parse(header, DEVICE_COOKIE)[DEVICE_COOKIE]) || "") ?? [];
  if (!personId || !version || !id || !signature) return null;
  const text = `${personId}.${version}.${id}`;
  if (!isSignature(secrets, PURPOSE, text, signature)) return null;
  return { id, personId: Number(personId), version: Number(version) };
}

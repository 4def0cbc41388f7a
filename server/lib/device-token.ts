import { createHmac, timingSafeEqual } from "node:crypto";
import { parse } from "hono/utils/cookie";
import { newId } from "./id";
import { deriveEncryptionKey } from "./encryption";

export const DEVICE_COOKIE = "hub.device";
const MAX_AGE_S = 365 * 86_400;

/** A browser that signed in to an account before. */
export interface Device {
  id: string;
  accountId: number;
  /** Of the account's sessions at that time: what ends them all makes every browser a stranger again. */
  version: number;
}

const TOKEN = /^(\d{1,10})\.(\d{1,10})\.([\w-]{36})\.([\w-]{43})$/;

const signText = (secret: string, text: string) =>
  createHmac("sha256", deriveEncryptionKey(secret, "generation-hub devices")).update(text).digest();

/** Returns the `Set-Cookie` by which a browser is known again, at sign-in alone, for a year. */
export function deviceCookie(secret: string, { id, sessionVersion }: SignedIn, secure: boolean): string {
  const text = `${id}.${sessionVersion}.${newId()}`;
  const value = `${text}.${signText(secret, text).toString("base64url")}`;
  const attributes = `Max-Age=${MAX_AGE_S}; Path=/api/auth; HttpOnly; SameSite=Lax${secure ? "; Secure" : ""}`;
  return `${DEVICE_COOKIE}=${value}; ${attributes}`;
}

interface SignedIn {
  id: number;
  sessionVersion: number;
}

/** Returns the browser that a request's cookie names; null without one, or when it is not ours. */
export function readDevice(secret: string, headers: Headers): Device | null {
  const header = headers.get("cookie");
  const [, accountId, version, id, signature] =
    TOKEN.exec((header && parse(header, DEVICE_COOKIE)[DEVICE_COOKIE]) || "") ?? [];
  if (!accountId || !version || !id || !signature) return null;
  const givenSignature = Buffer.from(signature, "base64url");
  const expectedSignature = signText(secret, `${accountId}.${version}.${id}`);
  if (givenSignature.length !== expectedSignature.length || !timingSafeEqual(givenSignature, expectedSignature))
    return null;
  return { id, accountId: Number(accountId), version: Number(version) };
}

import { openAnonymousReservation, readBytes } from "../api/middleware/bytes";
import { drainRequestBody } from "../api/middleware/drain-request-body";
import { normalizeEmail } from "../lib/normalize-email";
import { toServiceUnavailable } from "../domain/health";
import type { Hub } from "../domain/hub";
import { findByIdentity, type Identity } from "../domain/identities";
import { limitAuthCalls, passwordCounters, rejectExhausted } from "../domain/rates";
import { beginSession, findSession, MAX_IDLE_S, type SignedIn, signIn, signOut } from "../domain/sessions";
import { signInByIdentity, type SignInRejection } from "../domain/signup";
import { AppError, errorTable, invalidInput, isAppError } from "../errors";
import { browserName } from "../lib/browser-name";
import { type Device, deviceCookie, readDevice } from "../lib/device-token";
import { isStorable } from "../lib/json/storable";
import { asClaims, decodeToken, SESSION_COOKIE, sessionSecret } from "../lib/session-token";
import { addressOf } from "./caller";

/** Supported next-auth actions. Its `_log` is excluded, because it lets anyone write to the hub's log. */
const ACTIONS = new Set(["callback", "csrf", "error", "providers", "session", "signin", "signout"]);

interface Source {
  /** Null when the host does not provide it. */
  address: string | null;
  /** The name of the new session in the list of sessions. */
  browser: string;
  /** From its cookie; its account is checked together with the password. */
  device: Device | null;
}

/** One request to next-auth's routes: what its callbacks do, and the outcomes that next-auth itself does not expose. */
export class SignInRequest {
  /** The error of a callback, which next-auth would swallow or show to the browser. */
  private error: Error | null = null;
  /** The account that signed in. */
  private signedIn: SignedIn | null = null;
  /** The settings of the session's cookie. */
  readonly cookie;

  constructor(
    readonly hub: Hub,
    private readonly source: Source,
  ) {
    this.cookie = {
      name: SESSION_COOKIE,
      secret: sessionSecret(hub.secret),
      maxAgeSeconds: MAX_IDLE_S,
      isSecure: hub.env.BASE_URL.startsWith("https:"),
      decode: (params: Parameters<typeof decodeToken>[1]) => decodeToken(hub, params),
    };
  }

  /** Throws a 429 when sign-ins for these fields are throttled, before next-auth does its own work. */
  rejectExhausted({ email = "" }: Record<string, string>): void {
    const { address, device } = this.source;
    rejectExhausted(passwordCounters(this.hub, normalizeEmail(email), address, device));
  }

  /** Returns who signs in with a password; null if it is wrong. */
  verifyPassword(fields: Partial<Record<"email" | "password", unknown>> = {}): Promise<SignedIn | null> {
    return this.guard(async () => {
      const { email, password } = fields;
      if (typeof email !== "string" || typeof password !== "string") return null;
      const { address, device } = this.source;
      this.signedIn = await signIn(this.hub, { email, password }, address, device);
      return this.signedIn;
    });
  }

  /** Signs in or signs up the owner of an identity, or returns why they are rejected. */
  verifyIdentity(identity: Identity): Promise<"welcome" | SignInRejection> {
    return this.guard(() => signInByIdentity(this.hub, identity));
  }

  /** Starts a session, without an identity after a password, and returns the claims of its cookie. */
  startSession(identity: Identity | null) {
    return this.guard(async () => {
      this.signedIn ??= identity && (await findByIdentity(this.hub, identity));
      const { signedIn } = this;
      const firstStep = identity ? "identity" : "password";
      const session = signedIn && (await beginSession(this.hub, signedIn, this.source.browser, firstStep));
      if (!session) throw new AppError("unauthorized", "This account was closed or changed while you signed in.");
      return { sub: String(signedIn.id), email: signedIn.email, session };
    });
  }

  /** Returns whether the session of a cookie is still open. */
  isOpen(token: Record<string, unknown>): Promise<boolean> {
    return this.guard(async () => {
      const claims = asClaims(token);
      return claims !== null && (await findSession(this.hub, claims)) !== null;
    });
  }

  /** Ends the session of a cookie, and with it the copies of the cookie. */
  endSession(token: Record<string, unknown>): Promise<void> {
    return this.guard(async () => {
      const claims = asClaims(token);
      if (claims) await signOut(this.hub, claims.sessionId);
    });
  }

  /** Completes next-auth's response. Throws errors that next-auth would report in its own way. */
  finish(response: Response): Response {
    if (this.error) throw this.error;
    // next-auth returns 5xx only for input that it cannot parse.
    if (response.status >= 500) throw invalidInput("body", "is not valid for this path");
    if (this.signedIn) {
      response.headers.append("Set-Cookie", deviceCookie(this.hub.secret, this.signedIn, this.cookie.isSecure));
    }
    return response;
  }

  /** Runs a callback of next-auth and stores the error that it throws. */
  private async guard<T>(callback: () => Promise<T>): Promise<T> {
    try {
      return await callback();
    } catch (error) {
      this.error = error instanceof Error ? error : new Error(String(error));
      throw this.error;
    }
  }
}

/**
 * Checks a request to a route of next-auth, whose path is given below `/api/auth`, and reads the fields of its form: null
 * without a body. Throws AppErrors.
 */
export async function openSignIn(hub: Hub, request: Request, [action = "", provider, ...rest]: string[]) {
  const { headers, method } = request;
  const address = addressOf(hub, headers);
  await limitAuthCalls(hub, address);
  if (!ACTIONS.has(action) || rest.length > 0)
    throw new AppError("resource_not_found", "There is nothing at this path.");
  const fields = method === "POST" ? await readAuthFields(hub, request, address) : null;
  const source = { address, browser: browserName(headers.get("user-agent")), device: readDevice(hub, headers) };
  const signIn = new SignInRequest(hub, source);
  if (fields && action === "callback" && provider === "credentials") signIn.rejectExhausted(fields);
  return { signIn, fields };
}

/** Returns the response to a sign-in that failed other than by a wrong password: JSON, without internal details. */
export function rejectSignIn(hub: Hub, request: Request, thrown: unknown): Promise<Response> {
  const error = isAppError(thrown) ? thrown : toInternalError(hub, thrown);
  const url = `${hub.env.BASE_URL}/sign-in?error=${error.code === "rate_limited" ? "limited" : "failed"}`;
  const { status, headers, message } = error;
  return drainRequestBody(request, Response.json({ message, url }, { status, headers }));
}

function toInternalError(hub: Hub, thrown: unknown): AppError {
  hub.log.error({ err: thrown }, "sign-in failed");
  return toServiceUnavailable(thrown) ?? new AppError("internal_error", errorTable.internal_error.title);
}

const MAX_BODY_BYTES = 64 * 1024;
const MAX_FIELDS = 50;

/**
 * Returns the fields of a form that is posted to sign-in, urlencoded or as a flat JSON object of texts. Throws a 413 or a
 * 400 for anything else: next-auth reads bodies of any size, and fails on other content.
 */
async function readAuthFields(hub: Hub, request: Request, address: string | null): Promise<Record<string, string>> {
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

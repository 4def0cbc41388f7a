import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto";
import type { Route } from "../../catalogue/model";
import type { Hub } from "../../context";
import { isReachableFrom } from "./prepare-inputs";

/**
 * Returns the URL to which a route's provider reports on an attempt: only the hub can have made its token, whether or not
 * the provider signs its callbacks. Null when the provider has no callbacks or cannot reach the hub.
 */
export function callbackUrlFor(hub: Hub, route: Route, attemptId: string): string | null {
  if (!canCallBack(hub, route)) return null;
  const token = computeToken(hub, attemptId).toString("base64url");
  return `${hub.env.BASE_URL}/api/callbacks/providers/${attemptId}?token=${token}`;
}

/** Returns whether the provider of a route reports on its jobs. */
export const canCallBack = (hub: Hub, route: Route): boolean =>
  hub.providers[route.provider.kind]?.callback !== undefined && isReachableFrom(hub, route);

/** Returns whether a token is that of the attempt's callback URL. */
export function isCallbackToken(hub: Hub, attemptId: string, token: string): boolean {
  const expected = computeToken(hub, attemptId);
  const actual = Buffer.from(token, "base64url");
  return actual.length === expected.length && timingSafeEqual(actual, expected);
}

const computeToken = (hub: Hub, attemptId: string): Buffer =>
  createHmac("sha256", deriveCallbackKey(hub)).update(attemptId).digest();

const deriveCallbackKey = (hub: Hub): Buffer =>
  Buffer.from(hkdfSync("sha256", hub.secret, "", "generation-hub provider callbacks", 32));

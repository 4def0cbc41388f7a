import type { Route } from "../../../catalogue/model";
import { isSignature, signText } from "../../../lib/signature";
import type { RunHub } from "./hub";
import { isReachableFrom } from "./prepare-inputs";

/**
 * Returns the URL to which a route's provider reports on an attempt: only the hub can have made its token, whether or not
 * the provider signs its callbacks. Null when the provider has no callbacks or cannot reach the hub.
 */
export function callbackUrlFor(hub: RunHub, route: Route, attemptId: string): string | null {
  if (!canCallBack(hub, route)) return null;
  const token = signText(hub, PURPOSE, attemptId).toString("base64url");
  return `${hub.env.BASE_URL}/api/callbacks/providers/${attemptId}?token=${token}`;
}

/** Returns whether the provider of a route reports on its jobs. */
export const canCallBack = (hub: RunHub, route: Route): boolean =>
  hub.providers[route.provider.kind]?.callback !== undefined && isReachableFrom(hub, route);

/** Returns whether a token is that of the attempt's callback URL. */
export const isCallbackToken = (hub: RunHub, attemptId: string, token: string): boolean =>
  isSignature(hub, PURPOSE, attemptId, token);

const PURPOSE = "generation-hub provider callbacks";

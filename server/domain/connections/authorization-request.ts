import { type Client, findClient } from "./client";
import type { ConnectionsHub } from "./hub";
import { isOAuthError, OAuthError } from "./oauth-error";
import { buildRedirect, matchesRedirectUri } from "./redirect-uri";
import { getIssuer, getResource } from "./resource";

/** A valid request of a client for authorization. */
export interface AuthorizationRequest {
  client: Client;
  redirectUri: string;
  codeChallenge: string;
  /** Returned to the client unchanged. */
  state: string | null;
  resource: string;
}

/** A request that cannot be granted. */
export interface RejectedRequest {
  message: string;
  /** Reports the error to the client; null unless the redirect address is known to be the client's. */
  returnUrl: string | null;
}

type Query = Record<string, string | string[] | undefined>;

const CHALLENGE = /^[\w-]{43}$/;
const MAX_STATE_CHARACTERS = 2_000;

/** Returns the request in the query of `/oauth/authorize`, or why it is rejected. May fetch the metadata of the client. */
export async function readAuthorization(
  hub: ConnectionsHub,
  query: Query,
): Promise<AuthorizationRequest | RejectedRequest> {
  let redirectUri: string | null = null;
  let state: string | null = null;
  try {
    const client = await findClient(hub, readRequired(query, "client_id"));
    const requested = readRequired(query, "redirect_uri");
    if (!client.redirectUris.some((uri) => matchesRedirectUri(uri, requested)))
      throw new OAuthError("invalid_request", "The redirect_uri is not one that this app has registered.");
    redirectUri = requested;
    state = readState(query);
    return { client, redirectUri, state, ...readParameters(hub, query) };
  } catch (error) {
    if (!isOAuthError(error)) throw error;
    const { code, message } = error;
    return {
      message,
      returnUrl:
        redirectUri &&
        buildRedirect(redirectUri, { error: code, error_description: message, state, iss: getIssuer(hub) }),
    };
  }
}

export const isRejected = (request: AuthorizationRequest | RejectedRequest): request is RejectedRequest =>
  "returnUrl" in request;

function readParameters(hub: ConnectionsHub, query: Query) {
  if (readRequired(query, "response_type") !== "code")
    throw new OAuthError("unsupported_response_type", "response_type must be code.");
  if ((readOne(query, "response_mode") ?? "query") !== "query")
    throw new OAuthError("invalid_request", "response_mode must be query.");
  const codeChallenge = readRequired(query, "code_challenge");
  if (readOne(query, "code_challenge_method") !== "S256" || !CHALLENGE.test(codeChallenge))
    throw new OAuthError("invalid_request", "code_challenge must be one of PKCE with code_challenge_method S256.");
  const resource = getResource(hub);
  if ((readOne(query, "resource") ?? resource) !== resource)
    throw new OAuthError("invalid_target", `resource must be ${resource}.`);
  return { codeChallenge, resource };
}

function readState(query: Query): string | null {
  const state = readOne(query, "state") ?? null;
  if (state && state.length > MAX_STATE_CHARACTERS)
    throw new OAuthError("invalid_request", `state may have at most ${MAX_STATE_CHARACTERS} characters.`);
  return state;
}

function readRequired(query: Query, name: string): string {
  const value = readOne(query, name);
  if (!value) throw new OAuthError("invalid_request", `${name} is missing.`);
  return value;
}

function readOne(query: Query, name: string): string | undefined {
  const value = Object.hasOwn(query, name) ? query[name] : undefined;
  if (Array.isArray(value)) throw new OAuthError("invalid_request", `${name} is given more than once.`);
  return value;
}

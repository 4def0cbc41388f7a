import { exchangeCode, isOAuthError, OAuthError, registerClient } from "../../domain/connections";
import { hashSecret } from "../../domain/credentials";
import { revokeAppKey } from "../../domain/keys";
import { limitFailures } from "../middleware/rate-limit";
import type { RequestContext } from "../request-context";
import { SCOPE } from "./metadata";
import { readForm, readSmallBody } from "./read-form";

/** Handles `POST /oauth/token`: exchanges a code for a key, the access token. There are no refresh tokens. */
export async function exchange(context: RequestContext, request: Request) {
  const { grant_type, ...fields } = await readForm(context, request);
  if (grant_type === undefined) throw new OAuthError("invalid_request", "grant_type is missing.");
  if (grant_type !== "authorization_code")
    throw new OAuthError("unsupported_grant_type", "grant_type must be authorization_code. Connect again instead.");
  try {
    const { secret, expiresIn } = await exchangeCode(context.hub, fields);
    return { json: { access_token: secret, token_type: "Bearer", expires_in: expiresIn, scope: SCOPE } };
  } catch (error) {
    const isGuess = isOAuthError(error) && error.code === "invalid_grant";
    throw (isGuess && (await limitFailures(context))) || error;
  }
}

/** Handles `POST /oauth/register` (RFC 7591). */
export async function register(context: RequestContext, request: Request) {
  const metadata = parseJson(await readSmallBody(context, request));
  const { id, name, redirectUris } = registerClient(context.hub, metadata);
  return {
    status: 201,
    json: {
      client_id: id,
      client_id_issued_at: Math.floor(context.hub.now().getTime() / 1000),
      client_name: name,
      redirect_uris: redirectUris,
      grant_types: ["authorization_code"],
      response_types: ["code"],
      token_endpoint_auth_method: "none",
    },
  };
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    throw new OAuthError("invalid_client_metadata", "The body must be JSON.");
  }
}

/** Handles `POST /oauth/revoke` (RFC 7009): ends the connection of a token. An unknown token is not an error. */
export async function revoke(context: RequestContext, request: Request) {
  const { hub } = context;
  const { token } = await readForm(context, request);
  if (!token) throw new OAuthError("invalid_request", "token is missing.");
  await revokeAppKey(hub.db, { hash: hashSecret(token) }, hub.now());
  return { json: {} };
}

import { exchangeCode, isOAuthError, OAuthError } from "../../domain/connections";
import { limitFailures } from "../middleware/rate-limit";
import type { RequestContext } from "../request-context";
import { SCOPE } from "./metadata";
import { readForm } from "./read-form";

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

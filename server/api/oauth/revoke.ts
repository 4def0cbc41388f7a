import { findKey } from "../../domain/credentials";
import { revokeAppKey } from "../../domain/keys";
import { OAuthError } from "../../domain/connections";
import type { RequestContext } from "../request-context";
import { readForm } from "./read-form";

/** Handles `POST /oauth/revoke` (RFC 7009): ends the connection of a token. An unknown token is no error. */
export async function revoke(context: RequestContext, request: Request) {
  const { hub } = context;
  const { token } = await readForm(context, request);
  if (!token) throw new OAuthError("invalid_request", "token is missing.");
  const found = await findKey(hub, token);
  if (found?.actor.scope === "mcp") await revokeAppKey(hub.db, found.actor.id, hub.now());
  return { json: {} };
}

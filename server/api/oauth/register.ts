import { OAuthError, registerClient } from "../../domain/connections";
import type { RequestContext } from "../request-context";
import { readSmallBody } from "./read-form";

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

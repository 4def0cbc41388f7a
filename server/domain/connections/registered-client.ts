import { z } from "zod";
import { isSignature, signText } from "../../lib/signature";
import { type Client, cleanClientName, MAX_REDIRECT_URIS } from "./client-fields";
import type { ConnectionsHub } from "./hub";
import { OAuthError } from "./oauth-error";
import { isRedirectUri } from "./redirect-uri";

const MAX_ID_CHARACTERS = 4_096;
const ID = /^app_([\w-]+)\.([\w-]{43})$/;

const Registration = z.object({
  redirect_uris: z.array(z.string()).min(1).max(MAX_REDIRECT_URIS),
  client_name: z.string().max(1_000).optional(),
});
const Signed = z.object({ n: z.string(), r: z.array(z.string()) });

/**
 * Registers a client (RFC 7591). Nothing is stored: the id is what was registered, signed by the hub, so nobody can fill
 * the database. Throws OAuthError.
 */
export function registerClient(hub: ConnectionsHub, metadata: unknown): Client {
  const parsed = Registration.safeParse(metadata);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const isRedirect = issue?.path[0] === "redirect_uris";
    throw new OAuthError(
      isRedirect ? "invalid_redirect_uri" : "invalid_client_metadata",
      isRedirect
        ? `redirect_uris must be a list of 1 to ${MAX_REDIRECT_URIS} addresses.`
        : "client_name must be a text.",
    );
  }
  const { redirect_uris: redirectUris, client_name } = parsed.data;
  redirectUris.forEach((uri, index) => {
    if (!isRedirectUri(uri))
      throw new OAuthError(
        "invalid_redirect_uri",
        `redirect_uris.${index} must be https, http on localhost, 127.0.0.1 or [::1], or the scheme of an app.`,
      );
  });
  const name = cleanClientName(client_name) ?? "An app without a name";
  const payload = Buffer.from(JSON.stringify({ n: name, r: redirectUris })).toString("base64url");
  const id = `app_${payload}.${signText(hub, PURPOSE, payload).toString("base64url")}`;
  if (id.length > MAX_ID_CHARACTERS)
    throw new OAuthError("invalid_redirect_uri", "redirect_uris are too long together; register fewer.");
  return { id, name, host: null, redirectUris };
}

/** Returns the client of an id that the hub signed. Throws OAuthError `invalid_client`. */
export function readRegisteredClient(hub: ConnectionsHub, id: string): Client {
  const [, payload, signature] = (id.length <= MAX_ID_CHARACTERS && ID.exec(id)) || [];
  if (!payload || !isSignature(hub, PURPOSE, payload, Buffer.from(signature!, "base64url")))
    throw new OAuthError("invalid_client", "The app cannot be identified: register it again, or send the https address of its metadata as client_id."); // prettier-ignore
  const { n: name, r: redirectUris } = Signed.parse(JSON.parse(Buffer.from(payload, "base64url").toString()));
  return { id, name, host: null, redirectUris };
}

const PURPOSE = "generation-hub registered clients";

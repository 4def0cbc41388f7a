import { z } from "zod";
import { isOutboundError } from "../../lib/safe-fetch";
import type { ConnectionsHub } from "./hub";
import { OAuthError } from "./oauth-error";
import { isRedirectUri } from "./redirect-uri";
import { isSignature, signText } from "../../lib/signature";

/** An app that asks for a connection. */
export interface Client {
  id: string;
  /** As the app calls itself. */
  name: string;
  /** The site that vouches for its redirect addresses; null for a client that registered itself. */
  host: string | null;
  redirectUris: string[];
}

const MAX_REDIRECT_URIS = 10;
const MAX_NAME_CHARACTERS = 60;

/** Returns a client's name without control and bidirectional characters; null if nothing is left. */
function cleanClientName(name: string | undefined): string | null {
  const text = (name ?? "")
    .replace(/[\p{C}\p{Zl}\p{Zp}]/gu, " ")
    .replace(/\s+/g, " ")
    .trim();
  return [...text].slice(0, MAX_NAME_CHARACTERS).join("").trim() || null;
}

const MAX_BYTES = 16 * 1024;
const MAX_METADATA_URL_CHARACTERS = 1_000;
const FETCH_TIMEOUT_MS = 5_000;

const Metadata = z.object({
  client_id: z.string(),
  client_name: z.string().max(1_000).optional(),
  redirect_uris: z.array(z.string()).min(1).max(MAX_REDIRECT_URIS),
  token_endpoint_auth_method: z.literal("none").optional(),
});

/**
 * Returns the client with this id: one that the hub registered, or one whose id is the https address of its metadata, which
 * is fetched. Throws OAuthError `invalid_client` with the reason.
 */
export async function findClient(hub: ConnectionsHub, id: string): Promise<Client> {
  if (!id.startsWith("https://")) return readRegisteredClient(hub, id);
  if (!isMetadataUrl(id)) throw invalidClient("its client_id is not the plain https URL of a document");
  const body = await fetchMetadata(hub, id);
  const parsed = Metadata.safeParse(parseJson(body));
  if (!parsed.success) throw invalidClient("its metadata is incomplete");
  const { client_id, client_name, redirect_uris } = parsed.data;
  if (client_id !== id) throw invalidClient("its metadata names another client_id");
  const { host } = new URL(id);
  return { id, name: cleanClientName(client_name) ?? host, host, redirectUris: redirect_uris.filter(isRedirectUri) };
}

/** Returns whether an id is a URL in its canonical form, with a path and without a query and fragment. */
function isMetadataUrl(id: string): boolean {
  if (id.length > MAX_METADATA_URL_CHARACTERS || !URL.canParse(id)) return false;
  const { href, pathname, search, hash, username, password } = new URL(id);
  return href === id && pathname !== "/" && !search && !hash && !username && !password && !id.includes("?");
}

async function fetchMetadata(hub: ConnectionsHub, url: string): Promise<Buffer> {
  try {
    const { status, body } = await hub.fetch(url, {
      timeoutMs: FETCH_TIMEOUT_MS,
      maxBytes: MAX_BYTES,
      schemes: ["https:"],
      headers: { accept: "application/json" },
    });
    // Redirects are not followed: only the document at the id itself identifies the client.
    if (status !== 200) throw invalidClient(`its metadata could not be read (status ${status})`);
    return body;
  } catch (error) {
    if (!isOutboundError(error)) throw error;
    throw invalidClient(`its metadata could not be read. ${error.message}`);
  }
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    throw invalidClient("its metadata is not JSON");
  }
}

const invalidClient = (reason: string) => new OAuthError("invalid_client", `The app cannot be identified: ${reason}.`);

const MAX_ID_CHARACTERS = 4_096;
const ID = /^app_([\w-]+)\.([\w-]{43})$/;

const Registration = z.object({
  redirect_uris: z.array(z.string()).min(1).max(MAX_REDIRECT_URIS),
  client_name: z.string().max(1_000).optional(),
});
const Signed = z.object({ n: z.string(), r: z.array(z.string()) });

/**
 * Registers a client (RFC 7591). The id contains what was registered, signed by the hub, so nothing is stored and nobody can
 * fill the database. Throws OAuthError.
 */
export function registerClient(hub: ConnectionsHub, metadata: unknown): Client {
  const parsed = Registration.safeParse(metadata);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const isRedirect = issue?.path[0] === "redirect_uris";
    throw new OAuthError(
      isRedirect ? "invalid_redirect_uri" : "invalid_client_metadata",
      isRedirect ? `redirect_uris must be a list of 1 to ${MAX_REDIRECT_URIS} URIs.` : "client_name must be a string.",
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
  const name = cleanClientName(client_name) ?? "Unnamed app";
  const payload = Buffer.from(JSON.stringify({ n: name, r: redirectUris })).toString("base64url");
  const id = `app_${payload}.${signText(hub, PURPOSE, payload).toString("base64url")}`;
  if (id.length > MAX_ID_CHARACTERS)
    throw new OAuthError("invalid_redirect_uri", "redirect_uris are too long together; register fewer.");
  return { id, name, host: null, redirectUris };
}

/** Returns the client of an id that the hub signed. Throws OAuthError `invalid_client`. */
export function readRegisteredClient(hub: ConnectionsHub, id: string): Client {
  const [, payload, signature] = (id.length <= MAX_ID_CHARACTERS && ID.exec(id)) || [];
  if (!payload || !isSignature(hub, PURPOSE, payload, signature!))
    throw new OAuthError("invalid_client", "The app cannot be identified: register it again, or send the https URL of its metadata as client_id."); // prettier-ignore
  const { n: name, r: redirectUris } = Signed.parse(JSON.parse(Buffer.from(payload, "base64url").toString()));
  return { id, name, host: null, redirectUris };
}

const PURPOSE = "generation-hub registered clients";

import { z } from "zod";
import { isOutboundError } from "../../lib/safe-fetch";
import type { ConnectionsHub } from "./hub";
import { OAuthError } from "./oauth-error";
import { isRedirectUri } from "./redirect-uri";
import { readRegisteredClient } from "./registered-client";
import { type Client, cleanClientName, MAX_REDIRECT_URIS } from "./client-fields";

const MAX_BYTES = 16 * 1024;
const MAX_ID_CHARACTERS = 1_000;
const FETCH_TIMEOUT_MS = 5_000;

const Metadata = z.object({
  client_id: z.string(),
  client_name: z.string().max(1_000).optional(),
  redirect_uris: z.array(z.string()).min(1).max(MAX_REDIRECT_URIS),
  token_endpoint_auth_method: z.literal("none").optional(),
});

/**
 * Returns the client of an id: one that the hub registered, or one whose id is the https address of its metadata, which is
 * fetched. Throws OAuthError `invalid_client` with the reason.
 */
export async function findClient(hub: ConnectionsHub, id: string): Promise<Client> {
  if (!id.startsWith("https://")) return readRegisteredClient(hub, id);
  if (!isMetadataUrl(id)) throw invalidClient("its client_id is not the plain https address of a document");
  const body = await fetchMetadata(hub, id);
  const parsed = Metadata.safeParse(parseJson(body));
  if (!parsed.success) throw invalidClient("its metadata is incomplete");
  const { client_id, client_name, redirect_uris } = parsed.data;
  if (client_id !== id) throw invalidClient("its metadata names another client_id");
  const { host } = new URL(id);
  return { id, name: cleanClientName(client_name) ?? host, host, redirectUris: redirect_uris.filter(isRedirectUri) };
}

/** Returns whether an id is written as a URL would be printed, with a path and nothing after it. */
function isMetadataUrl(id: string): boolean {
  if (id.length > MAX_ID_CHARACTERS || !URL.canParse(id)) return false;
  const { href, pathname, search, hash, username, password } = new URL(id);
  return href === id && pathname !== "/" && !search && !hash && !username && !password && !id.includes("?");
}

async function fetchMetadata(hub: ConnectionsHub, url: string): Promise<Buffer> {
  try {
    const request = { timeoutMs: FETCH_TIMEOUT_MS, maxBytes: MAX_BYTES, schemes: ["https:" as const] };
    const { status, body } = await hub.fetch(url, { ...request, headers: { accept: "application/json" } });
    // Redirects are not followed: the document at the id itself says who the client is.
    if (status !== 200) throw invalidClient(`its metadata was answered with status ${status}`);
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

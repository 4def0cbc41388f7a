import { getIssuer, getResource } from "../../domain/connections";
import type { Hub } from "../../domain/hub";
import { HUB_NAME } from "../../lib/hub-name";

export const RESOURCE_METADATA_PATH = "/.well-known/oauth-protected-resource";
export const SERVER_METADATA_PATH = "/.well-known/oauth-authorization-server";

/** The only scope: to call the tools of `/mcp`. */
export const SCOPE = "mcp";

/** Returns the metadata of `/mcp` as a protected resource (RFC 9728). */
export const describeResource = (hub: Hub) => ({
  resource: getResource(hub),
  resource_name: HUB_NAME,
  authorization_servers: [getIssuer(hub)],
  bearer_methods_supported: ["header"],
  scopes_supported: [SCOPE],
  resource_documentation: `${getIssuer(hub)}/docs`,
});

/** Returns the metadata of the authorization server (RFC 8414). */
export function describeServer(hub: Hub) {
  const issuer = getIssuer(hub);
  return {
    issuer,
    authorization_endpoint: `${issuer}/oauth/authorize`,
    token_endpoint: `${issuer}/oauth/token`,
    registration_endpoint: `${issuer}/oauth/register`,
    revocation_endpoint: `${issuer}/oauth/revoke`,
    response_types_supported: ["code"],
    response_modes_supported: ["query"],
    grant_types_supported: ["authorization_code"],
    code_challenge_methods_supported: ["S256"],
    token_endpoint_auth_methods_supported: ["none"],
    revocation_endpoint_auth_methods_supported: ["none"],
    scopes_supported: [SCOPE],
    client_id_metadata_document_supported: true,
    authorization_response_iss_parameter_supported: true,
  };
}

/** Returns the challenge of a 401 from `/mcp`, which points clients to the metadata. */
export function describeChallenge(hub: Hub, hasCredential: boolean): string {
  const metadata = `resource_metadata="${getIssuer(hub)}${RESOURCE_METADATA_PATH}/mcp", scope="${SCOPE}"`;
  return hasCredential ? `Bearer error="invalid_token", ${metadata}` : `Bearer ${metadata}`;
}

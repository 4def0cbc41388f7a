import type { HubParts } from "../../context";

/** Returns the OAuth issuer of the keys of connected apps. */
export const getIssuer = (hub: Pick<HubParts, "env">): string => new URL(hub.env.BASE_URL).origin;

/** Returns the one resource for which these keys are valid (RFC 8707). */
export const getResource = (hub: Pick<HubParts, "env">): string => `${getIssuer(hub)}/mcp`;

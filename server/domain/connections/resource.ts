import type { HubParts } from "../../context";

/** Returns who issues keys to connected apps, as OAuth names it. */
export const getIssuer = (hub: Pick<HubParts, "env">): string => new URL(hub.env.BASE_URL).origin;

/** Returns the one thing that these keys open (RFC 8707). */
export const getResource = (hub: Pick<HubParts, "env">): string => `${getIssuer(hub)}/mcp`;

/** Apps that a person connects to `/mcp` by OAuth: their identity, the consent, the code and its exchange for a key. */
export { isRejected, readAuthorization } from "./authorization-request";
export { endConnection, listConnections, serializeConnection } from "./connection";
export { allowConnection, ConsentInput, denyConnection, sealQuestion } from "./consent";
export { CONNECTION_DAYS, deleteUnusedCodes, exchangeCode, purgeUnusedCodes } from "./exchange-code";
export { isOAuthError, OAuthError } from "./oauth-error";
export { describeRedirectUri } from "./redirect-uri";
export { registerClient } from "./registered-client";
export { getIssuer, getResource } from "./resource";

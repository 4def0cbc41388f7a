/** Apps that people connect to `/mcp` by OAuth: registration, consent, the exchange of a code for a key, and the list. */
export { isRejected, readAuthorization } from "./authorization-request";
export { endConnection, listConnections, serializeConnection } from "./connection";
export { allowConnection, ConsentInput, denyConnection, encryptQuestion } from "./consent";
export { CONNECTION_DAYS, deleteUnusedCodes, exchangeCode, purgeUnusedCodes } from "./exchange-code";
export { isOAuthError, OAuthError } from "./oauth-error";
export { describeRedirectUri } from "./redirect-uri";
export { registerClient } from "./client";
export { getIssuer, getResource } from "./resource";

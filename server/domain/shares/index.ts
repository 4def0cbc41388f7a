/** Links that show one output to everybody who has them: create, open, list, revoke, and count their views. */
export { createShareLink, ShareInput } from "./create-link";
export { ENDED_LINK_DAYS, listShareLinks, purgeShareLinks, revokeShareLink, serializeShareLink } from "./list-links";
export { openShareLink, type SharedOutput, shareNotFoundError } from "./open-link";
export { revokeReportedLink } from "./revoke-reported";
export { createShareServices, type ShareServices } from "./view-counter";

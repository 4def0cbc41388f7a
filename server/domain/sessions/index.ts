/** Sessions of the console: signing in and out, listing and ending them, and the session of a request. */
export type { SessionServices, SessionsHub } from "./hub";
export {
  createSessionServices,
  findSession,
  MAX_IDLE_S,
  MAX_SESSION_S,
  type PendingSession,
  resolveSession,
  type SessionCtx,
} from "./resolve-session";
export type { SessionStage } from "./select-sessions";
export {
  beginSession,
  deleteSessionsOf,
  endSession,
  listAccounts,
  listSessions,
  lockSessionsOf,
  markFirstStep,
  markVerified,
  type OwnAccount,
  purgeSessions,
  signOut,
  switchAccount,
} from "./session";
export { findSignedIn, type SignedIn, signIn } from "./sign-in";

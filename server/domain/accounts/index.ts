/** Accounts: the balance and its limits, contact, suspension, and which credentials of an account are valid. */
export {
  beginKeyLimitChange,
  endAccountSessions,
  getAccount,
  hasAccounts,
  lockAccount,
  normalizeEmail,
  setMember,
  suspendAccount,
  updateContact,
} from "./account";
export { credentialKindOf, forCredentialKinds, getCredentialId, isCallerValid } from "./caller";
export type { AccountsHub } from "./hub";
export { MAX_REPLY_RETENTION_DAYS, setReplyRetention } from "./reply-retention";
export { setSecondFactorDemand } from "./second-factor";
export { claimSignUpCredit, findWelcome, hideFirstSteps } from "./sign-up-credit";

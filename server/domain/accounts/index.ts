/** Accounts: their contact address, settings and suspension, and the credentials with which people and programs use them. */
export {
  beginKeyLimitChange,
  endAccountSessions,
  getAccount,
  getAccountById,
  hasAccounts,
  lockAccount,
  lockActiveAccount,
  parseAccountId,
  setKeepsNothing,
  setModelAccess,
  setReplyRetention,
  setSecondFactorDemand,
  setWeight,
  suspendAccount,
  updateContact,
} from "./account";
export { AccountName, setAccountName } from "./account-name";
export { credentialKindOf, forCredentialKinds, getCredentialId, isCallerValid } from "./caller";
export type { AccountsHub } from "./hub";
export { claimSignUpCredit, findWelcome, hideFirstSteps } from "./sign-up-credit";

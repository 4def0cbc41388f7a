/** Resetting a password, which also revokes all access to an account whose address was unverified. */
export type { RecoveryHub } from "./hub";
export { canReset, resetPassword } from "./reset-password";
export { deleteInvitationsOf, type RevokedAccess } from "./revoke-unverified-access";
export { announceRevoked, NOTHING_REVOKED, runSecuring, securePerson } from "./secure-person";

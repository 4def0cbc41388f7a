/** Resetting a password, which also revokes the access to an account with an unverified address. */
export type { RecoveryHub } from "./hub";
export { resetPassword } from "./reset-password";
export type { RevokedAccess } from "./revoke-unverified-access";
export { announceRevoked, runSecuring, securePerson } from "./secure-person";

/** Second factors: passkeys, authenticator apps and recovery codes, and whether an account requires them. */
export { addPasskey, startPasskey } from "./add-passkey";
export { confirmPassword } from "./confirm-password";
export { demandFactor, listFactors, removeFactors, resetFactors } from "./factor";
export type { FactorsHub } from "./hub";
export { removePasskey, renamePasskey } from "./passkey";
export { renewCodes, useRecoveryCode } from "./recovery-code";
export { reencryptRecoveryKeys } from "./recovery-key";
export { confirmTotp, reencryptTotp, removeTotp, startTotp, type TotpSetup, useTotp } from "./totp";
export { startVerification, usePasskey } from "./use-passkey";

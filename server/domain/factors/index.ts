/** Second factors: passkeys, authenticator apps, recovery codes, and the demand for them. */
export { addPasskey, startPasskey } from "./add-passkey";
export { confirmPassword } from "./confirm-password";
export { demandFactor } from "./demand-factor";
export { listFactors, removeFactors } from "./factor";
export type { FactorsHub } from "./hub";
export { removePasskey, renamePasskey } from "./passkey";
export { renewCodes, useRecoveryCode } from "./recovery-code";
export { reencryptRecoveryKeys } from "./recovery-key";
export { reencryptTotp } from "./reencrypt-totp";
export { resetFactors } from "./reset-factors";
export { confirmTotp, removeTotp, startTotp, type TotpSetup, useTotp } from "./totp";
export { startVerification, usePasskey } from "./use-passkey";

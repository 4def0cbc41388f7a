/** Passwords: hashing, checking, changing, and resetting by e-mail. */
export { changePassword, setPassword } from "./change-password";
export type { PasswordsHub } from "./hub";
export { createPasswordServices, hashPassword, isPassword, type PasswordServices } from "./password";
export { applyReset, consumeReset, hashToken, isResetPending, requestReset } from "./request-reset";

/** Passwords: hashing and checking them, changing them, and the links that reset them. */
export { changePassword, setPassword } from "./change-password";
export type { PasswordsHub } from "./hub";
export { createPasswordServices, hashInTurn, hashPassword, isPassword, type PasswordServices } from "./password";
export { applyReset, consumeReset, deleteResets, hashToken, isResetPending, requestReset } from "./request-reset";

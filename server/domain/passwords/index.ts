/** Passwords: hashing, checking, changing, and resetting by e-mail. */
export { changePassword, setPassword } from "./change-password";
export { createPasswordQueue, hashPassword, isPassword } from "./password";
export { applyReset, consumeReset, hashToken, isResetPending, requestReset } from "./request-reset";

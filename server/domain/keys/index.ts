/** API keys, and keys of connected apps: create, list, rotate and revoke them, and their spend limits. */
export { revokeAppKey } from "./app-key";
export { createKey, type KeyRequest } from "./create";
export type { KeysHub } from "./hub";
export { KeyInput, KeyPatch, KeyRotation } from "./input";
export {
  getKey,
  type Key,
  keyNotFoundError,
  type KeyScope,
  listAllKeys,
  listKeys,
  listSecretRoles,
  lockKey,
  revokeKey,
  revokeKeys,
  revokeKeysOf,
  serializeKey,
  updateKey,
} from "./key";
export { checkExpiry, getNextReset, parseSpendLimit, type SpendReset } from "./limits";
export { rotateKey } from "./rotate";

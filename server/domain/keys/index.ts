/** API keys: create, list, change, rotate and revoke them; their periods and spend limits. */
export { revokeAppKey } from "./app-key";
export { createKey, issueKey } from "./create";
export type { KeysHub } from "./hub";
export { KeyInput, KeyPatch, KeyRotation } from "./input";
export {
  getKey,
  type Key,
  keyNotFoundError,
  type KeyScope,
  listAllKeys,
  listKeys,
  revokeKey,
  revokeKeys,
  revokeKeysOf,
  serializeKey,
} from "./key";
export { checkExpiry, parseSpendLimit } from "./limits";
export { findMakerRole } from "./maker-role";
export { getNextReset, type SpendReset } from "./period";
export { rotateKey } from "./rotate";
export { lockKey, updateKey } from "./update";

/** API keys as a request sends them: their hashes, and the lookup that finds a key and its account. */
export {
  createCredentialServices,
  type CredentialServices,
  findKey,
  findKeyByHash,
  hashKey,
  isRecentKey,
  type KeyRejection,
} from "./authenticate";
export { getSecretPrefix, hashSecret, isSecret, newSecret } from "./secret";

/** Secrets that requests authenticate with: their form and hashes, and the lookup of an API key and its account. */
export {
  createCredentialServices,
  type CredentialServices,
  findKeyByHash,
  type FoundKey,
  hashKey,
  isRecentKey,
  type KeyRejection,
} from "./authenticate";
export { getSecretPrefix, hashSecret, isSecret, newSecret } from "./secret";
export { parseTokenName } from "./token-name";

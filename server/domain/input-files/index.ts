/** Gives providers and workers the files of an input: parses references, signs links, and keeps copies of external URLs. */
export { fetchOutside } from "./fetch-outside";
export { inputNotFetched, linkInput, parseOwnFileUrl, parseSha256Ref, readInput } from "./input-file";
export type { InputFilesHub } from "./hub";
export {
  claimCopy,
  type ClaimedCopy,
  createCopies,
  endClaim,
  findCopies,
  type InputCopies,
  recordCopy,
} from "./input-copy";
export { findSignedFile, signFileUrls, signLink } from "./signed-url";

/** Files as inputs: references to them, signed links, and copies of external URLs. */
export { fetchOutside } from "./fetch-outside";
export { parseOwnFileUrl, parseSha256Ref } from "./file-reference";
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
export { inputNotFetched, linkInput, readInput } from "./input-file";
export { signFileUrls } from "./sign-file-urls";
export { findSignedFile, signLink } from "./signed-url";

/** Reads the parts of a chat's messages that are not text: pictures, files and recordings, and where their content is. */
export {
  type Attachment,
  type DataSource,
  findAttachments,
  hasSpokenAnswer,
  type Medium,
  readAttachment,
  replaceParts,
  type Source,
} from "./attachment";
export { maxAudioTokens } from "./audio";
export { checkBase64, decodeHead, HEAD_BYTES, isPdf } from "./base64";
export {
  type Content,
  contentIssue,
  findContentIssue,
  isTextFile,
  MAX_TEXT_BYTES,
  readTextFile,
  toAudio,
  toDataUrl,
  unsupportedMedium,
  withContent,
} from "./content";

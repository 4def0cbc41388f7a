/** Reads the parts of a chat's messages that are no text: pictures, files and recordings, and where their content is. */
export { type Attachment, findAttachments, type Medium, readAttachment, replaceParts } from "./attachment";
export { maxAudioTokens } from "./audio";
export { checkBase64, decodeHead, HEAD_BYTES, isPdf } from "./base64";
export { contentIssue, type Content, isTextFile, unsupportedMedium, withContent } from "./content";

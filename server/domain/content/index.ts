/** Determines the media type of content from its bytes, and makes safe names for files. */
export { detectFileType } from "./detect-file-type";
export { cleanFileName, fileExtension } from "./file-name";
export { typeByMagicBytes } from "./magic-bytes";
export { describeContent, inspectContent, type InspectedContent } from "./inspect-content";

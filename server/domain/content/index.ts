/** What content is by its bytes: its type, its size, a name for it. */
export { detectFileType } from "./detect-file-type";
export { cleanFileName, fileExtension } from "./file-name";
export { describeContent, inspectContent, type InspectedContent } from "./inspect-content";

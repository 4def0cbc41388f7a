/** Finds, lists, deletes and expires the files of an account, stores outputs, and makes thumbnails. */
export { deleteFile, deleteFiles } from "./delete";
export { expireFiles, removeErasedOutputs } from "./expire";
export { type FileRow, fileUrl, serializeFile, serializeListedFile, serializeOutput } from "./file";
export { findAccountFile, findByHash, findFile, openContent } from "./find-file";
export type { FileServices, FilesHub } from "./hub";
export { type FileKind, fileKinds, fileTypes, listFiles } from "./list";
export { NEVER_EXPIRES } from "./never-expires";
export { storeOutput } from "./store-output";
export { createFileServices, getThumbnail, type ThumbnailWidth, thumbnailWidths } from "./thumbnail";

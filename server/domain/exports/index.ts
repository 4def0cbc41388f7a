/** Exports: an account's data as one ZIP archive, made in the background in parts, for download until it expires. */
export {
  deleteExport,
  findNewestExport,
  getExport,
  serializeExport,
  startExport,
  startExportByOperator,
} from "./export";
export { makeExport } from "./make-export";
export { type Archive, getArchive, openArchive } from "./open-export";
export { purgeExports } from "./purge";

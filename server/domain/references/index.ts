/** Resolves what an input refers to (files, external URLs, a character), and finds the files that the account does not have. */
export {
  checkOutsideInputs,
  type FileReference,
  findFileReferences,
  findMissing,
  findOutsideInputs,
  type Missing,
  selectMissing,
} from "./file-references";
export type { ReferencesHub } from "./hub";
export { checkCharacter, MAX_CHARACTER_ID, resolveCharacter } from "./learned-character";

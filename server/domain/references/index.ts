/** What an input refers to: files, external URLs, a character; and what of it is missing. */
export {
  checkOutsideInputs,
  findFileReferences,
  findMissing,
  findOutsideInputs,
  type Missing,
} from "./file-references";
export type { ReferencesHub } from "./hub";
export { checkCharacter, MAX_CHARACTER_ID, resolveCharacter } from "./learned-character";

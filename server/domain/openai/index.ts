/** OpenAI's paths for media: generations that a request waits for, sizes and files of pictures, embeddings. */
export { embed } from "./embed";
export { findModel, unusableOutput } from "./find-model";
export { findOrStart } from "./generate-and-wait";
export { generateSetAndWait } from "./generate-set";
export { keepFile, type SentFile } from "./keep-file";
export {
  convertText,
  countGenerations,
  findFileParameter,
  givenMembers,
  SPEECH_DEFAULTS,
  toPictureInput,
  TRANSCRIPTION_DEFAULTS,
  withoutDefaults,
} from "./parameters";
export { writeVectors } from "./vector-list";
export { PIECE_RETENTION_DAYS, purgeVectors } from "./vector-pieces";

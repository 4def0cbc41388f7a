/**
 * What OpenAI's paths beyond chats need: pictures, speech and transcriptions as generations that a request waits for, with
 * OpenAI's parameters converted to the model's, and embeddings. MCP starts its generations with `findOrStartGeneration` too.
 */
export { embed } from "./embed";
export { findModel, unusableOutput } from "./find-model";
export { findOrStartGeneration, openGeneration } from "./find-or-start-generation";
export type { OpenAiHub } from "./hub";
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
export { startGenerationsAndWait } from "./start-and-wait";
export { toSizeParameters } from "./picture-size";
export { writeVectors } from "./vector-answer";
export { PIECE_RETENTION_DAYS, purgeVectors } from "./vector-pieces";

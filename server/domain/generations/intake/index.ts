/** Turns requests into generations: validates and prices them, and inserts their rows together with their holds. */
export { buildGeneration, buildGenerations, type GenerationRequest, newGeneration } from "./build";
export type { IntakeHub } from "./hub";
export {
  createIntakeServices,
  insertManyWithHold,
  insertTogether,
  insertWithHold,
  type IntakeServices,
} from "./insert-with-hold";
export type { NewGeneration, Training } from "./new-generation";
export { insufficientCreditsError, runAgain, startGeneration } from "./start";

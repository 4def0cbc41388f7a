/** Turns requests into generations: validates and prices them, and inserts their rows together with their holds. */
export { buildGeneration, buildGenerations, type GenerationRequest, newGeneration } from "./build";
export type { IntakeHub } from "./hub";
export {
  createIntakeServices,
  insertManyWithHold,
  insertTogether,
  insertWithHold,
  type IntakeServices,
  type NewGeneration,
  type Training,
} from "./insert-with-hold";
export { insufficientCreditsError, runAgain, startGeneration } from "./start";

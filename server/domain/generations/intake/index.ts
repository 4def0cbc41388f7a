/** Turns requests into generations: validates and prices them, and inserts their rows together with their holds. */
export { buildGeneration, type GenerationRequest, newGeneration } from "./build-generation";
export type { IntakeHub } from "./hub";
export {
  createIntakeServices,
  insertManyWithHold,
  insertWithHold,
  type IntakeServices,
  type NewGeneration,
  type Training,
} from "./insert-with-hold";
export { insufficientCreditsError, runAgain, startGeneration } from "./start";

/** Turns requests into generations: validates and prices them, and inserts their rows together with their holds. */
export type { IntakeHub } from "./hub";
export {
  createIntakeServices,
  insertManyWithHold,
  insertWithHold,
  type IntakeServices,
  type NewGeneration,
  type Training,
} from "./insert-with-hold";
export {
  buildGeneration,
  type GenerationRequest,
  insufficientCreditsError,
  newGeneration,
  runAgain,
  startGeneration,
} from "./start";

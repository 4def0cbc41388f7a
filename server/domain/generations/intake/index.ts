/** How a request becomes a generation: the row, and its insert together with the hold. */
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

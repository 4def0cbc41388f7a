/** How a request becomes a generation: the row, and its insert together with the hold. */
export { buildGeneration, type GenerationRequest } from "./build-generation";
export type { IntakeHub } from "./hub";
export type { NewGeneration, Training } from "./insert-generations";
export { createIntakeServices, insertManyWithHold, insertWithHold, type IntakeServices } from "./insert-with-hold";
export { newGeneration } from "./new-generation";
export { insufficientCreditsError, runAgain, startGeneration } from "./start";

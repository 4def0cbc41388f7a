/** How long generations of each model usually take. */
export { createModelTimeServices, type ModelTimeServices, readTypicalSeconds } from "./model-times";

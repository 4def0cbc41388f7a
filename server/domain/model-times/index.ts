/** How long generations of each model usually take, and what one costs. */
export { createModelTimeServices, type ModelTimeServices, readTypicalSeconds } from "./model-times";
export { findTypicalCost } from "./typical-cost";

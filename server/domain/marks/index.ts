/** Writes into pictures, videos and sounds that a model generated them, and says what is known about a stored mark. */
export { repairContent } from "./edits";
export { DIGITAL_SOURCE_TYPE, GENERATOR, type Mark, marks } from "./mark";
export { markContent } from "./mark-content";

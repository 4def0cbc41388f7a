/** Writes into pictures, videos and sounds that a model generated them, and says what is known about a stored mark. */
export { DIGITAL_SOURCE_TYPE, GENERATOR, type Mark, marks } from "./mark";
export { markContent, repairContent } from "./mark-content";

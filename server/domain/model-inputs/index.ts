/** Validates inputs against their model, and makes example inputs. */
export { checkInput, findUnbounded } from "./check-input";
export { exampleInput } from "./example-input";
export { rejectInput, type Root } from "./reject-input";

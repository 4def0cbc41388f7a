/** How to make the result of a generation larger, and what that costs. */
export { findLarger } from "./find-larger";
export { findLargerInput } from "./larger-input";

/** Says what made a file of an account, and which of its files a copy is. */
export { describeMarks, getProvenance, identifyFiles, serializeProvenance } from "./provenance";

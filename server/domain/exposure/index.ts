/** Decides what customers see of providers: their names, routes, costs and error messages. */
export { showChunks, showCompletion, showUsage } from "./answer";
export { type ExposureHub, exposureTo, showFailure, showProvider } from "./exposure";
export { readExposure } from "./read-exposure";

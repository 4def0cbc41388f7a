/** Sample pictures of models, which operators choose for the gallery of models and the home page. */
export { addSample, chooseForHome, removeSample } from "./change-samples";
export { findSample, listHomeSamples, listSamples, type Sample } from "./find-samples";
export type { SamplesHub } from "./hub";
export { readOwnPicture } from "./own-picture";

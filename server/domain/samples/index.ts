/** Sample pictures of models, which operators choose for the gallery of models and the home page. */
export { addSample, chooseForHome, removeSample } from "./change-samples";
export { findSample, listHomeSamples, listSamples } from "./find-samples";
export { readOwnPicture } from "./own-picture";

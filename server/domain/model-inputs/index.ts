/** Inputs of a model: validation against its schema, images in chats, examples. */
export { checkInput } from "./check-input";
export { exampleInput } from "./example-input";
export { findImageParts, type ImagePart, replaceImageUrls } from "./image-parts";
export { rejectInput, type Root } from "./reject-input";

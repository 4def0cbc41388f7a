/** Validates inputs against their model, finds images in chats, and makes example inputs. */
export { checkInput } from "./check-input";
export { exampleInput } from "./example-input";
export { findImageParts, type ImagePart, replaceImageUrls } from "./image-parts";
export { rejectInput, type Root } from "./reject-input";

/** Content that generations wait for: accepted uploads, and downloads of external inputs. */
export { acceptDirectUpload, acceptUpload } from "./accept-upload";
export { fetchNextInput } from "./fetch-next-input";
export type { InputsHub } from "./hub";
export { uploadFromUrl } from "./upload-from-url";

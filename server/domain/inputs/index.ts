/** Content that generations wait for: accepted uploads, and downloads of external inputs. */
export { acceptDirectUpload, acceptUpload, uploadFromUrl } from "./accept-upload";
export { fetchNextInput } from "./fetch-next-input";
export type { InputsHub } from "./hub";

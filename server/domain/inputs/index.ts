/** Supplies the content that generations wait for: accepts uploads, and downloads external inputs. */
export { acceptDirectUpload, acceptUpload, uploadFromUrl } from "./accept-upload";
export { fetchNextInput } from "./fetch-next-input";
export type { InputsHub } from "./hub";

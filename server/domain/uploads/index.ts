/** Uploads files, through the hub or directly to the bucket. */
export { completeDirectUpload } from "./complete-direct-upload";
export { createDirectUpload } from "./direct-upload";
export type { UploadsHub } from "./hub";
export { storeUpload } from "./store-upload";

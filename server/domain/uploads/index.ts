/** Uploads of files, through the hub or directly to the storage. */
export { completeDirectUpload } from "./complete-direct-upload";
export { createDirectUpload } from "./direct-upload";
export { storeUpload } from "./store-upload";

/** The videos of OpenAI's API: their input and the picture from which they start, their list, status and deletion. */
export { findVideoOutput, serializeVideo } from "./serialize-video";
export { toVideoInput } from "./video-input";
export { findReferenceUrl, type VideoReference } from "./video-reference";
export { deleteVideo, findVideo, listVideos, videoOrders } from "./videos";

/** What is shown of a generation only while it runs: its newest log lines, and its newest preview. */
export { listLogLines } from "./log-lines";
export { findPreview, findPreviewUrl, previewUrl } from "./preview";
export { purgeLive } from "./purge";
export { reportLive } from "./report-live";

export { GenerationHub, type BatchOptions, type CreateOptions, type RunOptions, type UploadContent } from "./client.js";
export * from "./errors.js";
export type { Fetch, HubOptions, RequestOptions } from "./http.js";
export type * from "./types.js";
export type { components, operations, paths } from "./api.js";
export type { BatchWaitOptions, WaitOptions } from "./wait.js";
export { verifyWebhook, type WebhookMessage } from "./webhooks.js";

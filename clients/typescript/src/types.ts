import type { components, operations } from "./api.js";

type Schemas = components["schemas"];

export type Account = Schemas["Account"];
export type Batch = Schemas["Batch"];
export type BatchPage = Schemas["BatchPage"];
export type BatchWebhook = NonNullable<Schemas["BatchRequest"]["webhook"]>;
export type ChatCompletion = Schemas["ChatCompletion"];
export type ChatRequest = Schemas["ChatRequest"];
/** A chat that streams; the client adds `stream`. */
export type ChatStreamRequest = Omit<ChatRequest, "stream"> & { stream_options?: { include_usage?: boolean } };
/** A part of a streamed answer. Providers and models may add members. */
export interface ChatChunk {
  id: string;
  object: "chat.completion.chunk";
  created: number;
  model: string;
  /** Empty in the chunk of usage that `stream_options` asks for. */
  choices: {
    index: number;
    delta: { role?: string; content?: string | null; tool_calls?: unknown[]; [member: string]: unknown };
    finish_reason: string | null;
  }[];
  /** In the last chunk: the tokens, and what the chat cost in EUR. */
  usage?: Schemas["ChatUsage"] | null;
}
export type ErrorCode = Schemas["ErrorCode"];
export type Generation = Schemas["Generation"];
export type GenerationPage = Schemas["GenerationPage"];
export type Model = Schemas["Model"];
export type ModelInput = Record<string, unknown>;
export type OwnWebhook = Schemas["OwnWebhook"];
export type Output = Schemas["Output"];
export type Priority = Schemas["Priority"];
export type Problem = Schemas["Problem"];
export type Status = Schemas["Status"];
export type UploadedFile = Schemas["File"];
export type WebhookEvent = Schemas["Envelope"];
export type Usage = Schemas["UsagePage"];
export type UsageFilter = NonNullable<operations["getUsage"]["parameters"]["query"]>;
export type BatchFilter = NonNullable<operations["listBatches"]["parameters"]["query"]>;
export type ListFilter = NonNullable<operations["listGenerations"]["parameters"]["query"]>;

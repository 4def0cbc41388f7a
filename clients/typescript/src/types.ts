import type { components, operations } from "./api.js";

type Schemas = components["schemas"];

export type Account = Schemas["Account"];
export type ChatCompletion = Schemas["ChatCompletion"];
export type ChatRequest = Schemas["ChatRequest"];
export type ErrorCode = Schemas["ErrorCode"];
export type Generation = Schemas["Generation"];
export type GenerationPage = Schemas["GenerationPage"];
export type Model = Schemas["Model"];
export type ModelInput = Record<string, unknown>;
export type Output = Schemas["Output"];
export type Problem = Schemas["Problem"];
export type Status = Schemas["Status"];
export type UploadedFile = Schemas["File"];
export type WebhookEvent = Schemas["Envelope"];
export type ListFilter = NonNullable<operations["listGenerations"]["parameters"]["query"]>;

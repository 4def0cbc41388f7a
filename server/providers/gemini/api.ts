import type { Api } from "../http/api";

export const geminiApi: Api = { authorize: (apiKey) => ({ "x-goog-api-key": apiKey }) };

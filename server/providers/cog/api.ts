import type { Api } from "../http/api";

export const cogApi: Api = { authorize: (apiKey) => ({ authorization: `Bearer ${apiKey}` }) };

/** As long as a model may run at most: the deadline of the job ends the request. */
export const MAX_PREDICTION_MS = 86_400_000;

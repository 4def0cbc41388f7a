import { z } from "zod";
import type { ProviderSettings } from "../../catalogue/model";
import type { Api } from "../http/api";
import { type ApiResponse, callApi } from "../http/call-api";
import type { ProviderIo } from "../provider";

export const replicateApi: Api = {
  authorize: (apiKey) => ({ authorization: `Bearer ${apiKey}` }),
  outputHosts: ["replicate.delivery", "*.replicate.delivery"],
};

/** Returns whether a model is a deployment, which has a path of its own. */
export const isDeployment = (model: string): boolean => /^deployments\/\w[\w.-]*\/\w[\w.-]*$/.test(model);

/** The id of a prediction, which becomes part of paths. */
export const PredictionId = z.string().regex(/^[A-Za-z0-9]{1,64}$/);

/** What is read of a prediction. */
export const Prediction = z.object({
  status: z.string(),
  output: z.unknown(),
  error: z.unknown(),
  /** All that the model has written so far. */
  logs: z.string().nullish().catch(null),
  data_removed: z.boolean().catch(false),
  /** Null if it never began. */
  started_at: z.string().nullish().catch(undefined),
  metrics: z.object({ predict_time: z.number().nonnegative() }).nullish().catch(null),
});
export type Prediction = z.infer<typeof Prediction>;

/** For a response with inline files. */
export const MAX_INLINE_BYTES = 64 * 1024 * 1024;

/** Reads from the API, whose responses may have files in them. Throws ApiError. */
export const readApi = (provider: ProviderSettings, io: ProviderIo, url: string): Promise<ApiResponse> =>
  callApi(replicateApi, provider, io, { url, maxBytes: MAX_INLINE_BYTES, isLarge: true });

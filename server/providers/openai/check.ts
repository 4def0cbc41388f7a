import { z } from "zod";
import type { Route } from "../../catalogue/model";
import { ApiError, type ApiResponse, callApi } from "../http/call-api";
import type { ProviderIo } from "../provider";
import { api } from "./api";

/** Relays list hundreds of models with their prices. */
const MAX_BYTES = 8 * 1024 * 1024;
const WARNING_MS = 60 * 86_400_000;

const Models = z.object({
  data: z.array(z.object({ id: z.string(), shutdown_date: z.string().nullish().catch(null) })),
  has_more: z.boolean().nullish().catch(null),
});

/**
 * Returns why a route cannot be used, by the provider's list of models; null if it can, or if there is no such list. A
 * model that is about to be shut down counts.
 */
export async function checkRoute({ provider, upstreamModel }: Route, io: ProviderIo): Promise<string | null> {
  try {
    const response = await callApi(api, provider, io, { url: "/models", maxBytes: MAX_BYTES });
    return describeStatus(response) ?? describeModel(response, upstreamModel ?? "", io.now());
  } catch (error) {
    if (error instanceof ApiError) return error.message;
    throw error;
  }
}

function describeStatus({ status }: ApiResponse): string | null {
  if (status === 401 || status === 403) return `The provider does not accept the key (status ${status}).`;
  const isListed = status === 200 || status === 404 || status === 405;
  return isListed ? null : `The provider's models could not be read (status ${status}).`;
}

function describeModel({ status, body }: ApiResponse, name: string, now: Date): string | null {
  const models = Models.safeParse(body);
  if (status !== 200 || !models.success) return null;
  // Google's list writes all of them as "models/…".
  const model = models.data.data.find(({ id }) => id === name || id === `models/${name}`);
  if (!model) return models.data.has_more ? null : `The provider has no model ${JSON.stringify(name)}.`;
  const shutdown = Date.parse(model.shutdown_date ?? "");
  return shutdown - now.getTime() < WARNING_MS
    ? `The provider shuts ${JSON.stringify(name)} down on ${model.shutdown_date}.`
    : null;
}

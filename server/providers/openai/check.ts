import { z } from "zod";
import type { Route } from "../../catalogue/model";
import { type ApiResponse, callApi } from "../http/call-api";
import { describeCheckError } from "../http/check-access";
import type { Api } from "../http/api";
import type { ProviderIo } from "../provider";
import { api } from "./endpoint";

/** Relays list hundreds of models with their prices. */
const MAX_BYTES = 8 * 1024 * 1024;
const WARNING_MS = 60 * 86_400_000;

/** Anthropic's list belongs to its own API, which reads the key from another header than its compatible one. */
const anthropicApi: Api = { authorize: (apiKey) => ({ "x-api-key": apiKey, "anthropic-version": "2023-06-01" }) };

const Models = z.object({
  data: z.array(z.object({ id: z.string(), shutdown_date: z.iso.date().nullable().catch(null) })),
  has_more: z.boolean().nullish().catch(null),
});

/**
 * Returns why a route cannot be used, by the provider's list of models; null if it can, or if there is no such list. A
 * route to a model that is about to be shut down cannot be used either, unless its `retires_at` says so.
 */
export async function checkRoute(route: Route, io: ProviderIo): Promise<string | null> {
  try {
    const request = { url: "/models", maxBytes: MAX_BYTES };
    const answer = await callApi(api, route.provider, io, request);
    const response = answer.status === 401 ? await callApi(anthropicApi, route.provider, io, request) : answer;
    return describeStatus(response) ?? describeModel(response, route, io.now());
  } catch (error) {
    return describeCheckError(error);
  }
}

function describeStatus({ status }: ApiResponse): string | null {
  if (status === 401 || status === 403) return `The provider does not accept the key (status ${status}).`;
  const isListed = status === 200 || status === 404 || status === 405;
  return isListed ? null : `The provider's models could not be read (status ${status}).`;
}

function describeModel({ status, body }: ApiResponse, { upstreamModel, retiresAt }: Route, now: Date): string | null {
  const models = Models.safeParse(body);
  if (status !== 200 || !models.success) return null;
  const name = JSON.stringify(upstreamModel);
  // Google's list writes all of them as "models/…".
  const model = models.data.data.find(({ id }) => id === upstreamModel || id === `models/${upstreamModel}`);
  if (!model) return models.data.has_more ? null : `The provider has no model ${name}.`;
  const { shutdown_date: day } = model;
  const isSoon = day !== null && Date.parse(day) - now.getTime() < WARNING_MS;
  const isKnown = retiresAt !== null && day !== null && retiresAt <= day;
  return isSoon && !isKnown ? `The provider shuts ${name} down on ${day}, which is not the route's retires_at.` : null;
}

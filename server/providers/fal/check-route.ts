import { z } from "zod";
import type { Route } from "../../catalogue/model";
import { callApi } from "../http/call-api";
import { assertReadable } from "../http/describe-rejection";
import type { ProviderIo } from "../provider";
import { platformApi, serviceUrl } from "./api";

const Prices = z.object({ prices: z.array(z.object({ endpoint_id: z.string() })) });

/** Returns why a route's key or endpoints cannot be used: fal tells the prices of those that can. */
export async function checkRoute({ provider, upstreamModel, when }: Route, io: ProviderIo): Promise<string | null> {
  const endpoints = [...new Set([upstreamModel!, ...when.flatMap((other) => other.upstreamModel ?? [])])];
  const query = endpoints.map((endpoint) => `endpoint_id=${encodeURIComponent(endpoint)}`).join("&");
  const url = serviceUrl(provider, "https://api.fal.ai", `/v1/models/pricing?${query}`);
  const response = await callApi(platformApi, provider, io, { url });
  const { status } = response;
  if (status === 401 || status === 403) return `fal does not accept the key (status ${status})`;
  if ([400, 404, 422].includes(status)) return `fal does not offer ${endpoints.join(" or ")} (status ${status})`;
  assertReadable(response);
  const offered = Prices.catch({ prices: [] })
    .parse(response.body)
    .prices.map((price) => price.endpoint_id);
  const missing = endpoints.filter((endpoint) => !offered.includes(endpoint));
  return missing.length > 0 ? `fal does not offer ${missing.join(", ")}` : null;
}

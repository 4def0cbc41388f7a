import { z } from "zod";
import type { Route } from "../../catalogue/model";
import { callApi } from "../http/call-api";
import { assertReadable } from "../http/describe-rejection";
import type { Provider, ProviderIo } from "../provider";
import { platformApi, serviceUrl } from "./api";
import { readCallback } from "./callback";
import { cancelJob, pollJob } from "./poll";
import { submitJob } from "./submit";
import { uploadFile } from "./upload";

/** fal's queue. It takes no id from the hub, so that only a callback can find a job whose submit was interrupted. */
export const fal = {
  defaultBaseUrl: "https://queue.fal.run",
  inputModes: ["link", "upload", "inline"],
  submit: submitJob,
  poll: pollJob,
  cancel: cancelJob,
  callback: readCallback,
  upload: uploadFile,
  check: checkRoute,
} satisfies Provider;

const Prices = z.object({ prices: z.array(z.object({ endpoint_id: z.string() })) });

/** Returns why a route's key or endpoints cannot be used: fal tells the prices of those that can. */
async function checkRoute({ provider, upstreamModel, when }: Route, io: ProviderIo): Promise<string | null> {
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

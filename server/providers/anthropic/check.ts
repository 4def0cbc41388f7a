import type { Route } from "../../catalogue/model";
import { callApi } from "../http/call-api";
import { describeCheckError } from "../http/check-access";
import type { ProviderIo } from "../provider";
import { api } from "./endpoint";

/** Returns why a route cannot be used, by the provider's record of its model; null if it can, or if there are no such records. */
export async function checkRoute({ provider, upstreamModel }: Route, io: ProviderIo): Promise<string | null> {
  try {
    const url = `${provider.baseUrl!.endsWith("/v1") ? "" : "/v1"}/models/${encodeURIComponent(upstreamModel!)}`;
    const { status } = await callApi(api, provider, io, { url });
    if (status === 200 || status === 405) return null;
    if (status === 401 || status === 403) return `The provider does not accept the key (status ${status}).`;
    if (status === 404) return `The provider has no model ${JSON.stringify(upstreamModel)}.`;
    return `The provider's models could not be read (status ${status}).`;
  } catch (error) {
    return describeCheckError(error);
  }
}

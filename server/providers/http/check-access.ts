import type { ProviderSettings } from "../../catalogue/model";
import type { ProviderIo } from "../provider";
import type { Api } from "./api";
import { ApiError, type ApiResponse, callApi } from "./call-api";

/**
 * Sends a request that is free of charge, and returns why the key or the model cannot be used; null if they can.
 * `describe` returns what is special about a response; undefined if nothing is.
 */
export async function checkAccess(
  api: Api,
  provider: ProviderSettings,
  io: Pick<ProviderIo, "fetch" | "json" | "signal">,
  url: string,
  describe: (response: ApiResponse) => string | undefined,
): Promise<string | null> {
  try {
    const response = await callApi(api, provider, io, { url });
    return describe(response) ?? describeStatus(response.status);
  } catch (error) {
    return describeCheckError(error);
  }
}

/** Returns why a check got no response. Throws every error but ApiError. */
export function describeCheckError(error: unknown): string {
  if (error instanceof ApiError) return error.message;
  throw error;
}

function describeStatus(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  if (status === 401 || status === 403) return "The provider rejects the key.";
  if (status === 404) return "The provider does not have the model.";
  return `The provider responds with status ${status}.`;
}

import { FormData } from "undici";
import { z } from "zod";
import type { Route } from "../../catalogue/model";
import { ApiError, callApi } from "../http/call-api";
import { InputUnavailable } from "../input-unavailable";
import type { ProviderIo, ProviderUpload } from "../provider";
import { replicateApi } from "./api";

const TIMEOUT_MS = 60_000;
/** Statuses that are about the file; after any other one, another route or a later attempt may succeed. */
const FILE_REJECTED = [400, 413, 415, 422];

const Uploaded = z.object({ urls: z.object({ get: z.url({ protocol: /^https?$/ }) }) });

/** Stores a file by the Files API, for a day, and returns its URL for inputs. Throws InputUnavailable. */
export async function uploadFile(
  { content, mediaType, name }: ProviderUpload,
  { provider }: Route,
  io: ProviderIo,
): Promise<string> {
  const form = new FormData();
  form.set("content", new Blob([new Uint8Array(content)], { type: mediaType }), name);
  const request = { method: "POST", url: "/files", form, timeoutMs: TIMEOUT_MS } as const;
  const { status, body } = await callApi(replicateApi, provider, io, request).catch((error: unknown) => {
    throw error instanceof ApiError ? notAccepted(true) : error;
  });
  const { data } = Uploaded.safeParse(body);
  if (status < 200 || status >= 300 || !data) throw notAccepted(!FILE_REJECTED.includes(status));
  return data.urls.get;
}

const notAccepted = (retryable: boolean) =>
  new InputUnavailable("The provider did not accept an input file.", retryable);

import { z } from "zod";
import type { Route } from "../../catalogue/model";
import { parseResponseUrl } from "../http/api";
import { ApiError, callApi } from "../http/call-api";
import { InputUnavailable } from "../input-unavailable";
import type { ProviderIo, ProviderUpload } from "../provider";
import { platformApi, publicApi, serviceUrl } from "./api";

const TIMEOUT_MS = 60_000;

const Upload = z.object({ upload_url: z.string(), file_url: z.string().refine((text) => parseResponseUrl(text)) });

/** Stores a file at fal's CDN and returns its URL. Throws InputUnavailable: nothing has been submitted yet. */
export async function uploadFile(file: ProviderUpload, { provider }: Route, io: ProviderIo): Promise<string> {
  try {
    const response = await callApi(platformApi, provider, io, {
      method: "POST",
      url: serviceUrl(provider, "https://rest.fal.ai", "/storage/upload/initiate?storage_type=fal-cdn-v3"),
      json: { file_name: file.name, content_type: file.mediaType },
    });
    const upload = Upload.safeParse(response.body);
    if (response.status !== 200 || !upload.success) throw notStored();
    const stored = await callApi(publicApi, provider, io, {
      method: "PUT",
      url: upload.data.upload_url,
      bytes: file.content,
      timeoutMs: TIMEOUT_MS,
      headers: { "content-type": file.mediaType },
    });
    if (stored.status >= 300) throw notStored();
    return upload.data.file_url;
  } catch (error) {
    throw error instanceof ApiError ? notStored() : error;
  }
}

const notStored = () => new InputUnavailable("An input file could not be stored at the provider.", true);

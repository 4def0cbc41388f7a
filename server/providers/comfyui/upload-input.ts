import { createHash } from "node:crypto";
import { FormData } from "undici";
import { z } from "zod";
import type { Route } from "../../catalogue/model";
import { ApiError, callApi } from "../http/call-api";
import { InputUnavailable } from "../input-unavailable";
import type { ProviderIo, ProviderUpload } from "../provider";
import { comfyuiApi, HUB_FOLDER } from "./api";

const Stored = z.object({ name: z.string().min(1).max(200), subfolder: z.literal(HUB_FOLDER) });

/**
 * Stores a file among the server's inputs and returns its name for a node. The name is derived from the content, so
 * that no other file has it. Throws ApiError, and InputUnavailable for a file that is too large.
 */
export async function uploadInput(file: ProviderUpload, { provider }: Route, io: ProviderIo): Promise<string> {
  const { content, mediaType, name } = file;
  const hash = createHash("sha256").update(content).digest("hex");
  const form = new FormData();
  const extension = name.slice(name.lastIndexOf("."));
  form.set("image", new Blob([new Uint8Array(content)], { type: mediaType }), `${hash}${extension}`);
  form.set("subfolder", HUB_FOLDER);
  form.set("type", "input");
  const { status, body } = await callApi(comfyuiApi, provider, io, { method: "POST", url: "/upload/image", form });
  if (status === 413) throw new InputUnavailable("An input file is larger than the provider accepts.");
  const { data } = Stored.safeParse(body);
  if (status !== 200 || !data) throw new ApiError("no", `The provider did not store an input file (status ${status}).`);
  return `${data.subfolder}/${data.name}`;
}

import type { ProviderSettings } from "../../catalogue/model";
import { callApi } from "../http/call-api";
import type { ProviderIo } from "../provider";
import { comfyuiApi } from "./api";
import { findInQueue } from "./find-prompt";

/** Takes a prompt out of the server's queue, or interrupts it. Throws ApiError when the server cannot be asked. */
export async function cancelPrompt(provider: ProviderSettings, promptId: string, io: ProviderIo): Promise<void> {
  const post = (url: string, json: unknown) => callApi(comfyuiApi, provider, io, { method: "POST", url, json });
  await post("/queue", { delete: [promptId] });
  // Versions before 0.3.57 ignore the id and interrupt whatever runs.
  const found = await findInQueue(provider, promptId, io);
  if (found?.isRunning) await post("/interrupt", { prompt_id: promptId });
}

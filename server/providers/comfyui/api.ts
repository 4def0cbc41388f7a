import type { Api } from "../http/api";

/** ComfyUI itself has no keys: one is for the proxy before it, which guards its files as well. */
export const comfyuiApi: Api = {
  authorize: (apiKey) => ({ authorization: `Bearer ${apiKey}` }),
  outputsNeedKey: true,
};

/** The folder of the hub among the server's inputs and outputs. */
export const HUB_FOLDER = "hub";

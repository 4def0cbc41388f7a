import type { Api } from "../http/api";

/** ComfyUI itself has no keys: a key is for the proxy in front of it, which guards its files as well. */
export const comfyuiApi: Api = {
  authorize: (apiKey) => ({ authorization: `Bearer ${apiKey}` }),
  outputsNeedKey: true,
};

/** The folder of the hub among the server's inputs and outputs. */
export const HUB_FOLDER = "hub";

/** Bounds of responses with the graphs of prompts. */
export const LARGE_RESPONSE = { maxBytes: 16 * 1024 * 1024, maxValues: 1_000_000 };

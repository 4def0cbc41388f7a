import type { Api } from "../http/api";

/** OpenAI's API and those of compatible servers, whose pictures may be at any public host. */
export const api: Api = {
  authorize: (apiKey) => ({ authorization: `Bearer ${apiKey}` }),
  outputHosts: ["*"],
};

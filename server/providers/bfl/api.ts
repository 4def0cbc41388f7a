import type { Api } from "../http/api";

/** Global, regional and delivery hosts are all below bfl.ai; older deliveries are at Azure. */
export const bflApi: Api = {
  authorize: (apiKey) => ({ "x-key": apiKey }),
  apiHosts: ["*.bfl.ai"],
  outputHosts: ["*.bfl.ai", "bfldelivery*.blob.core.windows.net"],
};

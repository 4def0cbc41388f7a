import type { ProviderSettings } from "../../catalogue/model";
import type { Api } from "../http/api";

const authorize = (apiKey: string) => ({ authorization: `Key ${apiKey}` });
const outputHosts = ["fal.media", "*.fal.media"];

/** The queue, which runs the jobs. */
export const queueApi: Api = { authorize, apiHosts: ["queue.fal.run", "queue.falrun.com"], outputHosts };

/** The store's and the prices' services. */
export const platformApi: Api = { authorize, apiHosts: ["rest.fal.ai", "api.fal.ai"] };

/** What needs no key: the signing keys, and the signed URLs to which files are uploaded. */
export const publicApi: Api = { authorize: () => ({}), apiHosts: ["rest.fal.ai", ...outputHosts] };

/** Returns the address of a service besides the queue: fal's own, or the path below a base URL of the catalogue. */
export const serviceUrl = ({ hasOwnBaseUrl }: ProviderSettings, origin: string, path: string): string =>
  hasOwnBaseUrl ? path : `${origin}${path}`;

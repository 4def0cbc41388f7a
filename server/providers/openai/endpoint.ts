import type { FormData } from "undici";
import type { Api } from "../http/api";
import type { ApiRequest, ApiResponse } from "../http/call-api";
import type { Job, JobState } from "../job";
import type { ProviderIo } from "../provider";

/** An endpoint that does a whole job in one exchange. */
export interface Endpoint extends Pick<ApiRequest, "isFile" | "maxBytes"> {
  path: string;
  /** Throws InputUnavailable. */
  buildBody: (job: Job, io: ProviderIo) => { json: unknown } | Promise<{ form: FormData }>;
  /** Returns the state for a response with status 200; null when it cannot be read. Throws ProviderError. */
  readResponse: (response: ApiResponse, job: Job, io: ProviderIo) => JobState | null | Promise<JobState | null>;
}

/** OpenAI's API and those of compatible servers, whose pictures may be at any public host. */
export const api: Api = {
  authorize: (apiKey) => ({ authorization: `Bearer ${apiKey}` }),
  outputHosts: ["*"],
};

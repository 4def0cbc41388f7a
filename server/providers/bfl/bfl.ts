import { z } from "zod";
import { checkAccess } from "../http/check-access";
import type { Provider } from "../provider";
import { bflApi } from "./api";
import { pollJob } from "./poll-job";
import { readCallback } from "./read-callback";
import { submitJob } from "./submit-job";

const creditsSchema = z.object({ credits: z.number() });

/**
 * Black Forest Labs' own API. It has no list of jobs, so only a callback finds the job of an interrupted submit, and no
 * way to cancel one.
 */
export const bfl = {
  defaultBaseUrl: "https://api.bfl.ai",
  inputModes: ["link", "inline"],
  submit: submitJob,
  poll: pollJob,
  callback: readCallback,

  check: ({ provider }, io) =>
    checkAccess(bflApi, provider, io, "/v1/credits", ({ status, body }) => {
      // A malformed key is answered with 422.
      if (status === 422) return "The provider rejects the key.";
      const credits = creditsSchema.safeParse(body).data?.credits;
      return credits !== undefined && credits <= 0 ? "The account at the provider has no credits." : undefined;
    }),
} satisfies Provider;

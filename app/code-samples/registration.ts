import { generationEventNames } from "@/server/domain/events/event-names";
import { requestSnippets } from "./request-snippets";

const RECEIVER = "https://example.com/hooks/hub";

/** Returns programs that register a webhook with the key in HUB_API_KEY and print its secret. */
export const registration = (base: string) =>
  requestSnippets(base, {
    method: "POST",
    path: "/api/v1/hub/webhooks",
    headers: {},
    credential: "key",
    body: { kind: "json", value: { url: RECEIVER, events: generationEventNames } },
    result: { member: "secret" },
  });

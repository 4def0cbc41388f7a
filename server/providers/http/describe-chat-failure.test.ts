import { Readable } from "node:stream";
import { expect, test } from "vitest";
import type { ProviderSettings } from "../../catalogue/model";
import { describeChatRejection } from "./describe-chat-failure";

const provider = { baseUrl: "https://provider.example", apiKey: null } as ProviderSettings;

test.each([
  [{ "retry-after-ms": "2500" }, 3],
  [{ "retry-after": "7" }, 7],
  [{ "retry-after": "7", "retry-after-ms": "2500" }, 3],
  [{}, undefined],
])("a rejection with %o may be repeated after %s seconds", async (headers, seconds) => {
  const response = { statusCode: 429, headers, body: Readable.from([]) };
  expect((await describeChatRejection(response as never, provider)).retryAfter).toBe(seconds);
});

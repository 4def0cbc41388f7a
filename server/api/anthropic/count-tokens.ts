import { countTokens, type MessagesBody } from "../../domain/messages";
import { defineOperation } from "../operation";
import { CountedTokens, CountTokensRequest, MessagesBody as Body } from "../schemas/messages";

export const countMessageTokens = defineOperation({
  name: "countMessageTokens",
  method: "post",
  path: "/v1/messages/count_tokens",
  tag: "Chat",
  summary: "Count tokens of a prompt",
  description:
    "Counts the tokens of a request's prompt at the provider of the model's first route, if that counts them, or else estimates " +
    "them. It costs nothing and creates no generation.",
  auth: "key",
  cost: "read",
  body: Body,
  publishedBody: CountTokensRequest,
  bodyBounds: { maxBytes: 32 * 1024 * 1024, maxValues: 50_000 },
  envelope: "messages",
  responses: { 200: { description: "The number of tokens", schema: CountedTokens } },
  problems: ["model_not_found"],
  handler: async ({ ctx, body, request: { headers, signal } }) => ({
    json: { input_tokens: await countTokens(ctx, body as MessagesBody, { headers, signal }) },
  }),
});

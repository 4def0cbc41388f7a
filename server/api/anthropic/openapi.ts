import { HUB_NAME } from "../../lib/hub-name";
import { buildDocument, defineDocument, toRouteConfig } from "../openapi";
import type { Operation } from "../operation";
import { countMessageTokens } from "./count-tokens";
import { createMessage } from "./messages";
import { getAnthropicModel, listAnthropicModels } from "./models";

export const describeMessagesApi = defineDocument(
  {
    name: "describeMessagesApi",
    path: "/v1/messages/openapi.json",
    description: "Returns the OpenAPI 3.1 description of Anthropic's paths at this hub.",
    envelope: "messages",
  },
  (baseUrl) => messagesDocument(baseUrl),
);

/** All operations in Anthropic's format. */
export const messagesOperations: Operation[] = [
  createMessage,
  countMessageTokens,
  listAnthropicModels,
  getAnthropicModel,
  describeMessagesApi,
];

/** Returns the OpenAPI 3.1 document of Anthropic's paths at this address. */
export const messagesDocument = (baseUrl: string) =>
  buildDocument(baseUrl, { title: `${HUB_NAME}: Anthropic's API`, description, tags }, (registry) => {
    registry.registerComponent("securitySchemes", "apiKey", {
      type: "apiKey",
      in: "header",
      name: "x-api-key",
      description: "An API key, `service_sk_…`. It is also accepted as `Authorization: Bearer`",
    });
    for (const operation of messagesOperations) registry.registerPath(toRouteConfig(operation));
  });

const tags = [
  { name: "Chat", description: "Text models, with streaming" },
  { name: "Models", description: "Models that the key may use" },
  { name: "Service", description: "Description of these paths" },
];

const description =
  "Paths for programs that know Anthropic's Messages alone. Each request is a generation of the hub, named in " +
  "`X-Generation-Id`. Amounts are in EUR. The hub's own API is described at `/api/v1/openapi.json`.";

import { OpenAPIHono, z } from "@hono/zod-openapi";
import type { Env } from "../../env";
import { HUB_NAME } from "../../lib/hub-name";
import { memoizePer } from "../../lib/memoize-per";
import { toRouteConfig } from "../openapi";
import { defineOperation, type Operation } from "../operation";
import { createSpeech, createTranscription } from "./audio";
import { chatOperation } from "./chat";
import { completionOperation } from "./completions";
import { createEmbeddings } from "./embeddings";
import { createImage, editImage } from "./images";
import { getModelOperation, listModelsOperation } from "./models";

/** The operations other than chats and models, all of them POST. */
export const mediaOperations = [createImage, editImage, createSpeech, createTranscription, createEmbeddings];

export const describeOpenAiApi = defineOperation({
  name: "describeOpenAiApi",
  method: "get",
  path: "/v1/openapi.json",
  tag: "Service",
  summary: "Retrieve this document",
  description: "Returns the OpenAPI 3.1 description of OpenAI's paths at this hub.",
  auth: "none",
  cost: null,
  envelope: "openai",
  responses: {
    200: {
      description: "The OpenAPI document",
      schema: z.record(z.string(), z.unknown()),
      example: { openapi: "3.1.0", info: { title: HUB_NAME, version: "1" }, paths: {} },
    },
  },
  problems: [],
  handler: ({ hub }) => ({ text: renderDocument(hub.env) }),
});

/** All operations under `/v1`. */
export const openAiOperations: Operation[] = [
  chatOperation,
  completionOperation,
  listModelsOperation,
  getModelOperation,
  ...mediaOperations,
  describeOpenAiApi,
];

// Serialized once instead of on every request.
const renderDocument = memoizePer((env: Env) => JSON.stringify(openAiDocument(env.BASE_URL)));

/**
 * Returns the OpenAPI 3.1 document of OpenAI's paths at this address. The specified API has a document of its own, from
 * which the clients and the reference are generated.
 */
export function openAiDocument(baseUrl: string) {
  const generator = new OpenAPIHono();
  const registry = generator.openAPIRegistry;
  registry.registerComponent("securitySchemes", "apiKey", {
    type: "http",
    scheme: "bearer",
    description: "An API key, `service_sk_…`. It is also accepted in `x-api-key` and in `api-key`",
  });
  for (const operation of openAiOperations) registry.registerPath(toRouteConfig(operation));
  return generator.getOpenAPI31Document({
    openapi: "3.1.0",
    info: {
      title: `${HUB_NAME}: OpenAI's API`,
      version: "1",
      description,
      contact: { name: "The operator of this hub", url: `${baseUrl.replace(/\/$/, "")}/docs` },
      license: { name: "Apache-2.0", url: "https://www.apache.org/licenses/LICENSE-2.0" },
    },
    servers: [{ url: baseUrl }],
    tags: [
      { name: "Chat", description: "Text models, with streaming" },
      { name: "Models", description: "Models that the key may use" },
      { name: "Generations", description: "Pictures, recordings and vectors in the response of one request" },
      { name: "Service", description: "Description of these paths" },
    ],
  });
}

const description =
  "Paths for programs that know OpenAI's API alone. Each request is a generation of the hub, named in `X-Generation-Id`. " +
  "Amounts are in EUR. Every error is OpenAI's envelope. The hub's own API is described at `/api/v1/openapi.json`.";

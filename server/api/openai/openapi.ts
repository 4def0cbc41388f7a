import { HUB_NAME } from "../../lib/hub-name";
import { buildDocument, defineDocument, toRouteConfig } from "../openapi";
import type { Operation } from "../operation";
import { createSpeech, createTranscription } from "./audio";
import { chatOperation } from "./chat";
import { completionOperation } from "./completions";
import { createEmbeddings } from "./embeddings";
import { createImage, editImage } from "./images";
import { createVideo } from "./create-video";
import { getModelOperation, listModelsOperation } from "./models";
import { deleteVideoOperation, getVideo, getVideoContent, listVideosOperation } from "./videos";
import { countResponseTokens, createResponse } from "./responses";
import { cancelResponse, deleteResponseOperation, getResponse, listResponseItems } from "./stored-responses";

/** Operations of OpenAI's Responses API. */
export const responseOperations = [
  createResponse,
  countResponseTokens,
  getResponse,
  deleteResponseOperation,
  listResponseItems,
  cancelResponse,
];

/** The operations that wait for their result. All are POST. */
export const mediaOperations = [createImage, editImage, createSpeech, createTranscription, createEmbeddings];

export const videoOperations = [createVideo, listVideosOperation, getVideo, deleteVideoOperation, getVideoContent];

export const describeOpenAiApi = defineDocument(
  {
    name: "describeOpenAiApi",
    path: "/v1/openapi.json",
    description: "Returns the OpenAPI 3.1 description of OpenAI's paths at this hub.",
    envelope: "openai",
  },
  (baseUrl) => openAiDocument(baseUrl),
);

/** All operations under `/v1`. */
export const openAiOperations: Operation[] = [
  chatOperation,
  completionOperation,
  listModelsOperation,
  getModelOperation,
  ...responseOperations,
  ...mediaOperations,
  ...videoOperations,
  describeOpenAiApi,
];

/**
 * Returns the OpenAPI 3.1 document of OpenAI's paths at this address. The specified API has a document of its own, from
 * which the clients and the reference are generated.
 */
export const openAiDocument = (baseUrl: string) =>
  buildDocument(baseUrl, { title: `${HUB_NAME}: OpenAI's API`, description, tags }, (registry) => {
    registry.registerComponent("securitySchemes", "apiKey", {
      type: "http",
      scheme: "bearer",
      description: "An API key, `service_sk_…`. It is also accepted in `x-api-key` and in `api-key`",
    });
    for (const operation of openAiOperations) registry.registerPath(toRouteConfig(operation));
  });

const tags = [
  { name: "Chat", description: "Text models, with streaming" },
  { name: "Responses", description: "OpenAI's Responses over text models, with streaming and stored conversations" },
  { name: "Models", description: "Models that the key may use" },
  { name: "Generations", description: "Pictures, recordings and vectors in the response of one request, and videos" },
  { name: "Service", description: "Description of these paths" },
];

const description =
  "Paths for programs that speak only OpenAI's API. Each request is a generation of the hub, named in `X-Generation-Id`. " +
  "Amounts are in EUR. Every error is OpenAI's envelope. The hub's own API is described at `/api/v1/openapi.json`.";

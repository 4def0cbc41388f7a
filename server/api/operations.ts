import * as batches from "./batches";
import * as characters from "./characters";
import { completeChatOperation } from "./chat";
import * as files from "./files";
import * as generations from "./generations";
import * as health from "./health";
import * as keys from "./keys";
import { getAccount } from "./me";
import * as models from "./models";
import type { Operation } from "./operation";
import * as streams from "./streams";
import { getUsage } from "./usage";
import * as webhooks from "./webhooks";
import * as worker from "./worker";

/** All public operations except the one that serves the OpenAPI document. */
export const publicOperations: Operation[] = [
  getAccount,
  getUsage,
  models.listModelsOperation,
  models.getModelOperation,
  models.priceInputOperation,
  generations.createGeneration,
  generations.listGenerations,
  generations.getGeneration,
  generations.cancelGeneration,
  generations.eraseGenerationOperation,
  generations.listAttemptsOperation,
  batches.createBatchOperation,
  batches.listBatchesOperation,
  batches.getBatchOperation,
  batches.cancelBatchOperation,
  streams.streamGenerationEvents,
  completeChatOperation,
  files.uploadFile,
  files.createUpload,
  files.completeUpload,
  files.listFilesOperation,
  files.getFile,
  files.deleteFileOperation,
  characters.listCharactersOperation,
  characters.createCharacterOperation,
  characters.getCharacterOperation,
  characters.updateCharacterOperation,
  characters.deleteCharacterOperation,
  characters.startCharacterOperation,
  characters.resumeCharacterOperation,
  characters.cancelCharacterOperation,
  webhooks.createWebhook,
  webhooks.listWebhooks,
  webhooks.revokeWebhook,
  webhooks.rotateWebhookSecret,
  webhooks.getSigningSecretOperation,
  webhooks.rotateSigningSecretOperation,
  webhooks.testWebhook,
  webhooks.listWebhookDeliveries,
  webhooks.redeliverWebhook,
  webhooks.listEventsOperation,
  streams.streamEvents,
  worker.claimJobOperation,
  worker.renewLease,
  worker.storeLeaseOutput,
  worker.completeLease,
  worker.failLease,
  keys.createApiKey,
  keys.listApiKeys,
  keys.updateApiKey,
  keys.rotateApiKey,
  keys.revokeApiKey,
  health.getHealth,
  health.getReadiness,
  health.getVersion,
];

import { listEventsOperation } from "./events";
import {
  cancelCharacterOperation,
  createCharacterOperation,
  deleteCharacterOperation,
  getCharacterOperation,
  listCharactersOperation,
  resumeCharacterOperation,
  startCharacterOperation,
  updateCharacterOperation,
} from "./characters";
import { completeChatOperation } from "./chat";
import { deleteFileOperation, getFile, listFilesOperation, uploadFile } from "./files";
import {
  cancelGeneration,
  createGeneration,
  getGeneration,
  listAttemptsOperation,
  listGenerations,
} from "./generations";
import { createApiKey, listApiKeys, revokeApiKey, rotateApiKey, updateApiKey } from "./keys";
import { getAccount } from "./me";
import { getModelOperation, listModelsOperation, priceInputOperation } from "./models";
import type { Operation } from "./operation";
import { getHealth, getReadiness, getVersion } from "./health";
import { completeUpload, createUpload } from "./uploads";
import {
  createWebhook,
  listWebhookDeliveries,
  listWebhooks,
  redeliverWebhook,
  revokeWebhook,
  rotateWebhookSecret,
  testWebhook,
} from "./webhooks";
import { claimJobOperation, completeLease, failLease, renewLease, storeLeaseOutput } from "./worker";

/** All public operations except the one that serves the OpenAPI document. */
export const publicOperations: Operation[] = [
  getAccount,
  listModelsOperation,
  getModelOperation,
  priceInputOperation,
  createGeneration,
  listGenerations,
  getGeneration,
  cancelGeneration,
  listAttemptsOperation,
  completeChatOperation,
  uploadFile,
  createUpload,
  completeUpload,
  listFilesOperation,
  getFile,
  deleteFileOperation,
  listCharactersOperation,
  createCharacterOperation,
  getCharacterOperation,
  updateCharacterOperation,
  deleteCharacterOperation,
  startCharacterOperation,
  resumeCharacterOperation,
  cancelCharacterOperation,
  createWebhook,
  listWebhooks,
  revokeWebhook,
  rotateWebhookSecret,
  testWebhook,
  listWebhookDeliveries,
  redeliverWebhook,
  listEventsOperation,
  claimJobOperation,
  renewLease,
  storeLeaseOutput,
  completeLease,
  failLease,
  createApiKey,
  listApiKeys,
  updateApiKey,
  rotateApiKey,
  revokeApiKey,
  getHealth,
  getReadiness,
  getVersion,
];

import type { HubParts } from "../../context";
import { deriveKeys, type Secrets } from "../../lib/signature";
import type { ModelsHub } from "../models";
import type { RoutingHub } from "../routing";

/** What responses share in one process. */
export interface ResponseServices {
  /** Keys of stored responses and of reasoning, the newest first. */
  responseKeys: readonly Buffer[];
}

/** The parts of the hub that responses use. */
export type ResponsesHub = Pick<HubParts, "bodyBudget" | "db" | "env" | "now"> &
  ModelsHub &
  RoutingHub & { services: ResponseServices };

/** Returns the services of responses. */
export const createResponseServices = (secrets: Secrets): ResponseServices => ({
  responseKeys: deriveKeys(secrets, "generation-hub responses"),
});

import type { HubParts } from "../../context";
import type { KeysHub } from "../keys";
import type { WebhookSecretsHub } from "../webhook-secrets";

/** The parts of the hub that endpoints use. */
export type EndpointsHub = Pick<HubParts, "db" | "env" | "now"> & KeysHub & WebhookSecretsHub;

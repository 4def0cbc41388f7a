import type { HubParts } from "../../context";
import type { KeysHub } from "../keys";
import type { WebhookSecretsHub } from "../webhook-secrets";

/** What endpoints need of the hub. */
export type EndpointsHub = Pick<HubParts, "db" | "env" | "now"> & KeysHub & WebhookSecretsHub;

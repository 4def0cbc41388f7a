import type { HubParts } from "../../context";
import type { EndpointsHub } from "../endpoints";
import type { PasswordsHub } from "../passwords";

/** What recovery needs of the hub. */
export type RecoveryHub = Pick<HubParts, "db" | "now" | "publish"> & EndpointsHub & PasswordsHub;

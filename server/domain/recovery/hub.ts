import type { HubParts } from "../../context";
import type { EndpointsHub } from "../endpoints";
import type { PasswordsHub } from "../passwords";

/** The parts of the hub that recovery uses. */
export type RecoveryHub = Pick<HubParts, "db" | "now" | "publish"> & EndpointsHub & PasswordsHub;

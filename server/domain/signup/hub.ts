import type { HubParts } from "../../context";
import type { Secrets } from "../../lib/signature";
import type { IdentitiesHub } from "../identities";

/** The parts of the hub that sign-up uses. */
export type SignupHub = Pick<HubParts, "db" | "env" | "log" | "now"> & Secrets & IdentitiesHub;

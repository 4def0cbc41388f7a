import type { HubParts } from "../../context";
import type { Secrets } from "../../lib/signature";
import type { IdentitiesHub } from "../identities";

/** What sign-up needs of the hub. */
export type SignupHub = Pick<HubParts, "db" | "env" | "log" | "now"> & Secrets & IdentitiesHub;

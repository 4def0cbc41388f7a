import type { HubParts } from "../../context";
import type { Secrets } from "../../lib/signature";
import type { PeopleHub } from "../people";
import type { RatesHub } from "../rates";

/** The parts of the hub that factors use. */
export type FactorsHub = Pick<HubParts, "db" | "env" | "log" | "now"> & Secrets & PeopleHub & RatesHub;

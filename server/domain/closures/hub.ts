import type { HubParts } from "../../context";
import type { EndpointsHub } from "../endpoints";
import type { ErasureHub } from "../erasure";
import type { PeopleHub } from "../people";
import type { ReconciliationHub } from "../reconciliation";

/** The parts of the hub that closing accounts and erasing people use. */
export type ClosuresHub = Pick<HubParts, "db" | "env" | "log" | "now" | "tombstones"> &
  PeopleHub &
  EndpointsHub &
  ErasureHub &
  ReconciliationHub;

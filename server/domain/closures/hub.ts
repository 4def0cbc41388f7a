import type { HubParts } from "../../context";
import type { EndpointsHub } from "../endpoints";
import type { ErasureHub } from "../erasure";
import type { PeopleHub } from "../people";
import type { ReconciliationHub } from "../reconciliation";

/** What closing accounts and erasing people need of the hub. */
export type ClosuresHub = Pick<HubParts, "db" | "env" | "log" | "now" | "tombstones"> &
  PeopleHub &
  EndpointsHub &
  ErasureHub &
  ReconciliationHub;

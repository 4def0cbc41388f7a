import type { HubParts } from "../../context";
import type { ChatHub } from "../chat";
import type { FilesHub } from "../files";

/** What requests of Messages need of the hub. */
export type MessagesHub = Pick<HubParts, "bodyBudget" | "providers"> & ChatHub & FilesHub;

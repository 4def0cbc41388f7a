import type { ChatHub } from "../chat";
import type { FilesHub } from "../files";

/** What requests of Messages need of the hub. */
export type MessagesHub = ChatHub & FilesHub;

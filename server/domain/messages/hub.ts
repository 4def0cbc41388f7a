import type { ChatHub } from "../chat";
import type { FilesHub } from "../files";

/** The parts of the hub that requests of Messages use. */
export type MessagesHub = ChatHub & FilesHub;

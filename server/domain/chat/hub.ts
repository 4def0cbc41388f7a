import type { HubParts } from "../../context";
import type { Durability } from "../../db/durability";
import type { ExposureHub } from "../exposure";
import type { IntakeHub } from "../generations/intake";
import type { RunHub } from "../generations/run";
import type { StreamTimes } from "../dialects";
import { createStickyRoutes, type StickyRoutes } from "./sticky-routes";

/** A chat whose client may still disconnect before it gets the answer. */
export interface OpenChat {
  /** Whether the client has disconnected. */
  left: boolean;
}

export const STREAM_TIMES: StreamTimes = { commentMs: 15_000, usageMs: 5_000, retryMs: 10_000 };

/** What the chats of one process share. */
export interface ChatServices {
  /** How streamed chats wait. */
  streamTimes: StreamTimes;
  /** The chats whose clients may still disconnect, by account, API key and request. */
  openChats: Map<string, Set<OpenChat>>;
  stickyRoutes: StickyRoutes;
  /** The writes of chats that shutdown waits for. */
  pendingWrites: Set<Promise<void>>;
}

/** The parts of the hub that chats use. */
export type ChatHub = Pick<
  HubParts,
  "bodyBudget" | "chats" | "db" | "env" | "json" | "log" | "now" | "providers" | "tracing"
> &
  ExposureHub &
  IntakeHub &
  RunHub & { services: ChatServices & Durability };

/** Returns the services of chats. */
export const createChatServices = (): ChatServices => ({
  streamTimes: { ...STREAM_TIMES },
  openChats: new Map(),
  stickyRoutes: createStickyRoutes(),
  pendingWrites: new Set(),
});

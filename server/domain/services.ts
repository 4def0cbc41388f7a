import type { Hub } from "../context";
import { createDurabilityWait } from "../db/durability";
import { type Admission, createAdmission, createTurnMeter } from "../lib/admission";
import { type ArrivalBudget, createArrivalBudget } from "../lib/arrival-budget";
import { createConcurrencyLimit, type ConcurrencyLimit, measureWaits } from "../lib/concurrency-limit";
import type { FairQueue } from "../lib/fair-queue";
import { createPacer, type Pacer } from "../lib/pacer";
import { createTurnShare, type ShareTurn } from "../lib/share-turn";
import type { WorkQueue } from "../lib/work-queue";
import { type OpenChat, STREAM_TIMES, type StreamTimes } from "./chat";
import { createLeaseRenewal, INLINE_LIMITS, requeueExpiredLeases } from "./generations/run";
import {
  type ChatEndingWithId,
  createFinishBatcher,
  createSettleBatcher,
  type Ended,
  type Ending,
} from "./generations/end";
import {
  createEndWaiters,
  createGenerationLookup,
  type EndWaiters,
  type GenerationRef,
  type StoredGeneration,
} from "./generations/read";
import { createInsertBatcher, type GenerationInsert, type InsertResult } from "./generations/intake";
import { createThumbnailQueue } from "./files";
import { createKeyLookup, createKeyTouch, type FoundKey } from "./credentials";
import { createPasswordQueue } from "./passwords";
import { createRejectionLog, type RejectionLog } from "./rejections";
import type { Tokens } from "./pricing";
import { createRateLimits, type RateLimits } from "./rates";
import { createRouteHealth, type RouteHealth } from "./routing";
import { createSessionTouch } from "./sessions";
import {
  type ClaimedDelivery,
  type ClaimRequest,
  createAttemptBatcher,
  createClaimBatcher,
  type EndedAttempt,
} from "./deliveries";
import { createRenderBatcher, type EventRow } from "./envelopes";
import { deriveWebhookKeys } from "./endpoints";
import { createJobWaiters, type JobWaiters } from "./workers";

/**
 * What the requests of one process share. Most members are used by one verb alone, which documents them: call
 * `finishGeneration(hub, ending)`, not the service.
 */
export interface Services {
  /** Finds an API key by the hash of its secret, in hexadecimal. */
  findKey: (hash: string) => Promise<FoundKey | null>;
  /** The same for a key that this process has not seen. */
  findNewKey: (hash: string) => Promise<FoundKey | null>;
  /** The hashes of keys that were valid when they were last seen, the oldest first. */
  recentKeys: Set<string>;
  /** Has requests with keys that this process has not seen share turns of the event loop. */
  shareTurnOfStrangers: ShareTurn;
  /** Paces the responses to failed authentications beyond the limit of a network. */
  paceFailures: Pacer;
  /** Hashes passwords of people who are not signed in, which takes a core for tens of milliseconds; networks take turns. */
  passwordWork: FairQueue;
  /** Whether requests with a key are admitted while the process is busy: those that only read, and those that write. */
  admission: Record<"read" | "write", Admission>;
  /** Records that an API key was used just now. */
  touchKey: (id: string) => void;
  /** What calls and failed attempts are counted in, through whichever door they come. */
  rateLimits: RateLimits;
  /** Records REST requests that were answered with an error. */
  rejectionLog: RejectionLog;
  /** Records that a session was used just now. */
  touchSession: (id: string) => void;
  insertGeneration: (generation: GenerationInsert) => Promise<InsertResult>;
  findGeneration: (ref: GenerationRef) => Promise<StoredGeneration | null>;
  finishGeneration: (ending: Ending) => Promise<Ended | null>;
  settleChat: (ending: ChatEndingWithId) => Promise<boolean>;
  /** Waits until all that was committed before is on the disk, and on every standby that commits wait for. */
  waitForDurability: () => Promise<void>;
  /** Renews the lease of a chat that runs in this process, and stores what it has used so far; never throws. */
  renewLease: (chatId: string, tokens?: Tokens) => void;
  /** How streamed chats wait. */
  streamTimes: StreamTimes;
  /** The chats whose clients may still disconnect, by account, API key and request. */
  openChats: Map<string, Set<OpenChat>>;
  /** The writes of chats that shutdown waits for. */
  pendingWrites: Set<Promise<void>>;
  /** The circuit breakers of routes. */
  routeHealth: RouteHealth;
  /** Whether generations may wait for routes, as far as this process knows, and how many waits it has recorded. */
  routeWaits: { exist: boolean; recorded: number };
  /** Admits one transaction at a time that takes a place at a provider with limits. */
  placeLimiter: ConcurrencyLimit;
  /** Bounds what responses with inline outputs hold in memory. */
  inlineOutputs: ArrivalBudget;
  claimDelivery: (request: ClaimRequest) => Promise<ClaimedDelivery | null>;
  recordAttempt: (attempt: EndedAttempt) => Promise<void>;
  renderEvent: (event: EventRow) => Promise<string>;
  /** Open the secrets of webhooks; the first one encrypts them. */
  webhookKeys: readonly Buffer[];
  jobWaiters: JobWaiters;
  /** The requests that wait for a generation to end. */
  endWaiters: EndWaiters;
  /** Makes thumbnails, a few at a time and each once. */
  thumbnails: WorkQueue;
}

declare module "../context" {
  // Added here because imports run down: context.ts cannot import the types of the domain (decision 27).
  interface Hub {
    readonly services: Services;
  }
}

/** Completes a hub with services of its own. */
export function createHub<Parts extends Omit<Hub, "services">>(parts: Parts): Parts & Hub {
  // The services call verbs with the hub that they belong to, so it is there before them.
  const hub = parts as Parts & Hub;
  return Object.assign(hub, { services: createServices(hub) });
}

function createServices(hub: Hub): Services {
  // Ledger writes run on `db.ledgerConnection`. A statement's cost hardly depends on its number of rows, so fewer and
  // larger batches are cheaper, and concurrent ones would only wait for each other's account locks. The limit is two, so
  // that Postgres has the next statement as soon as one ends.
  const ledgerWriteLimiter = measureWaits(createConcurrencyLimit(2), (seconds) =>
    hub.metrics.moneyWait.observe({}, seconds),
  );
  const findKey = createKeyLookup(hub, 2);
  const insertGeneration = createInsertBatcher(hub, ledgerWriteLimiter);
  const finishGeneration = createFinishBatcher(hub, ledgerWriteLimiter);
  const settleChat = createSettleBatcher(hub, ledgerWriteLimiter);
  const maxDelayMs = hub.env.MAX_WAIT_MS;
  const measureTurn = createTurnMeter();
  // A request passes one queue after the other.
  const measureReadDelay = () => measureTurn() + findKey.waitMs();
  const measureWriteDelay = () =>
    measureReadDelay() + insertGeneration.waitMs() + Math.max(finishGeneration.waitMs(), settleChat.waitMs());
  return {
    findKey,
    findNewKey: createKeyLookup(hub, 1),
    recentKeys: new Set(),
    shareTurnOfStrangers: createTurnShare(),
    paceFailures: createPacer({ stepMs: 10, maxWaitMs: 5_000 }),
    passwordWork: createPasswordQueue(),
    admission: {
      read: createAdmission({ measureDelayMs: measureReadDelay, maxDelayMs }),
      write: createAdmission({ measureDelayMs: measureWriteDelay, maxDelayMs }),
    },
    touchKey: createKeyTouch(hub),
    rateLimits: createRateLimits(hub),
    rejectionLog: createRejectionLog(hub),
    touchSession: createSessionTouch(hub),
    insertGeneration,
    findGeneration: createGenerationLookup(hub),
    finishGeneration,
    settleChat,
    waitForDurability: createDurabilityWait(hub.db),
    renewLease: createLeaseRenewal(hub),
    streamTimes: { ...STREAM_TIMES },
    openChats: new Map(),
    pendingWrites: new Set(),
    routeHealth: createRouteHealth(hub),
    routeWaits: { exist: false, recorded: 0 },
    placeLimiter: createConcurrencyLimit(1),
    inlineOutputs: createArrivalBudget(INLINE_LIMITS),
    claimDelivery: createClaimBatcher(hub),
    recordAttempt: createAttemptBatcher(hub),
    renderEvent: createRenderBatcher(hub),
    webhookKeys: deriveWebhookKeys(hub),
    jobWaiters: createJobWaiters(() => requeueExpiredLeases(hub)),
    endWaiters: createEndWaiters(hub),
    thumbnails: createThumbnailQueue(),
  };
}

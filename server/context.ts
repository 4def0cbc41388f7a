import type { HubEvent } from "../inngest/events";
import type { Books, Terms } from "./catalogue/books/book";
import type { Catalogue, ProviderKind } from "./catalogue/model";
import type { Db, Queryable } from "./db/client";
import type { Env, Exposure } from "./env";
import type { ByteBudget } from "./lib/byte-budget";
import type { JsonCodec } from "./lib/json/codec";
import type { SentJson } from "./lib/json/sent-json";
import type { LongWork } from "./lib/long-work";
import type { HubMetrics } from "./lib/metrics/hub-metrics";
import type { Nano } from "./lib/money";
import type { RateView } from "./lib/rate-view";
import type { Logger } from "./lib/log";
import type { SafeFetch } from "./lib/safe-fetch";
import { runAtOnce, runInSlices, type SlicedWork } from "./lib/slices";
import type { Tracing } from "./lib/tracing/tracing";
import type { PaymentProviders } from "./payments/registry";
import type { Provider } from "./providers/provider";
import type { Storage } from "./storage/storage";
import type { Tombstones } from "./storage/tombstones";

/** A worker that has asked for jobs. Times are milliseconds of `hub.now()`. */
interface WorkerPresence {
  name: string;
  seen: number;
  /** When it was last reported to the other processes. */
  announcedAt: number;
  /** When it last asked for jobs of each model. */
  models: Map<string, number>;
}

/** A chat in progress in this process. */
interface ChatInFlight {
  done: Promise<unknown>;
  /** Ends the chat because the process stops; the chat settles its own record. */
  stop: () => void;
}

/** What runs the jobs: the embedded engine or an Inngest server. */
export interface JobEngine {
  /** Resolves if the engine accepts jobs. Rejects with an OperatorError if it knows why it does not. */
  check(): Promise<void>;
  /** Erases what the database stores of runs that have ended, but for their ids and times, in the transaction. */
  eraseRuns(tx: Queryable, runIds: string[]): Promise<unknown>;
}

/**
 * What a process has one of, apart from the services of the domain's modules: `Hub` in server/domain/hub.ts combines
 * both. A module names the parts that it needs: `Pick<HubParts, "db" | "now">`.
 */
export interface HubParts {
  env: Env;
  /** What customers see of attempts at providers: EXPOSE_ATTEMPTS, or the default that the database stores. */
  exposure: Exposure;
  /** Key material for encryption, signatures and sessions. */
  secret: string;
  /** The secret before `secret`. What it encrypted or signed is still accepted. */
  previousSecret?: string;
  /** Hashes the end users that budgets count. It stays when `secret` is replaced. */
  endUserKey: Buffer;
  log: Logger;
  /** What the process counts for `/metrics`. */
  metrics: HubMetrics;
  /** Null while traces are off. */
  tracing: Tracing | null;
  /** The only clock. */
  now: () => Date;
  db: Db;
  storage: Storage;
  tombstones: Tombstones;
  fetch: SafeFetch;
  /** Replaced as a whole when an operator applies another one. */
  catalogue: Catalogue;
  /** The price books. Replaced as a whole when an operator applies others. */
  books: Books;
  providers: Partial<Record<ProviderKind, Provider>>;
  payments: PaymentProviders;
  /** The workers that were seen since the process started, by the id of their token. */
  presence: Map<string, WorkerPresence>;
  /** Limits the memory that the bodies of all requests in progress hold. */
  bodyBudget: ByteBudget;
  /** Limits that memory for unauthenticated callers, by network. */
  anonymousBodyBudget: ByteBudget;
  json: JsonCodec;
  /** Runs work that takes tens of milliseconds, one piece at a time. */
  longWork: LongWork;
  /** The chats in progress, by the ids of their generations. */
  chats: Map<string, ChatInFlight>;
  jobEngine: JobEngine;
  /** Set when the process stops, so that load balancers send it no new requests. */
  isStopping: boolean;
  /** Sends an event to the job engine, later and in batches. Never throws: the sweep repeats what is lost. */
  publish: (event: HubEvent) => void;
}

/** The limits of an account's keys and its budgets, as they were when the caller's key was looked up. */
export interface AccountLimits {
  /** Incremented by every change of them. */
  version: number;
  hasBudgets: boolean;
}

/** The account as it was when the request was authenticated. */
export interface Account {
  id: number;
  email: string;
  /** The name that its owners gave it; null without one, absent if unknown. */
  name?: string | null;
  member: boolean;
  balance: Nano;
  /** The part of the balance that is promotional credit; absent but in a session. */
  promotional?: Nano;
  reserved: Nano;
  /** Its price book, at the discount of what it has spent in this month; null or absent for the catalogue's prices. */
  terms?: Terms | null;
  /** Set if the short statements may move its money (decision 112): the caller's key has no limit, and nobody follows events. */
  limits?: AccountLimits | null;
  /** How many days it keeps replies of chats; null or absent if it does not. */
  replyRetentionDays?: number | null;
  /** When it closes; null or absent if it does not. Keys of an account that closes are not found. */
  closesAt?: Date | null;
  /** Whether the content of its new generations is erased soon after their end. */
  keepsNothing?: boolean;
}

/** The roles of an account's members, those with the most permissions first. */
export const roles = ["owner", "billing", "developer", "viewer"] as const;
export type Role = (typeof roles)[number];

/** A role in the operator's console: an auditor reads everything, an operator also changes it. */
export type HubRole = "operator" | "auditor";

/**
 * What a role permits: `self`, the person's own settings; `read`, reading what the account has; `develop`, creating and
 * changing it; `billing`, its money; `manage`, its members and settings.
 */
export type Permission = "self" | "read" | "develop" | "billing" | "manage";

/** The person of a session. */
export interface Person {
  id: number;
  email: string;
  isVerified: boolean;
  /** In the account of the session. */
  role: Role;
  hubRole: HubRole | null;
}

/** The view of an account by a person with a role of the hub. */
export interface AccountView {
  until: Date;
  /** Whether prompts, outputs and files are shown, for which a reason was given. */
  showsContent: boolean;
  /** The account that the session acts for without the view. */
  ownAccountId: number;
}

/** A customer's own pairs. Any own property may be one, `__proto__` too. */
export type Metadata = Record<string, string>;

/** What a request says about its generations. */
export interface Labels {
  metadata: Metadata | null;
  /** The customer's own id of the person for whom they are made. */
  endUser: string | null;
}

/** Who acts for the account. */
export type Actor =
  | {
      kind: "key";
      id: string;
      name: string;
      prefix: string;
      /** Where it is valid: in the API for the whole account, or in `/mcp` for what it created itself. */
      scope: "api" | "mcp";
      requireIdempotency: boolean;
      /** The ids of the models that it may use; null for all. */
      allowedModels: string[] | null;
      /** The pairs that all of its generations get; null for none. */
      metadata: Metadata | null;
      requireEndUser: boolean;
      /** Whether the content of its generations is erased soon after their end. */
      keepsNothing: boolean;
      /** Null for no limit. */
      requestsPerMinute: number | null;
      tokensPerMinute: number | null;
    }
  /** A person who is signed in. A program in the hub's process has neither a session nor a person. */
  | {
      kind: "user";
      sessionId?: string;
      person?: Person;
      view?: AccountView | null;
      /** When the person was last verified: by a second factor, or by signing in if there is none. */
      provedAt?: Date | null;
    };

/** Returns the id of the key to whose generations and files an actor is limited; null for no limit. */
export const onlyKeyOf = (actor: Actor): string | null =>
  actor.kind === "key" && actor.scope === "mcp" ? actor.id : null;

/** One request: the parts of the hub that it needs, and who acts for which account. */
export interface Ctx<H> {
  hub: H;
  account: Account;
  actor: Actor;
  requestId: string;
  /** Whether the request's body is so large that processing all of it is long work. */
  isLarge?: boolean;
  /** The text of the request's body, if it is forwarded. */
  sent?: SentJson | null;
  /** Absent if the request has none. */
  labels?: Labels;
  /** Whether the request asks that the content of its generations is erased soon after their end. */
  keepsNothing?: boolean;
  /** The limits that the request counts against; absent outside REST. */
  rates?: RateView;
}

/** Returns the context of a request. */
export const contextOf = <H, A extends Actor>(
  hub: H,
  account: Account,
  actor: A,
  requestId: string,
): Ctx<H> & { actor: A } => ({
  hub,
  account,
  actor,
  requestId,
});

/** How a request's whole body is processed. */
export type BodyPace = Pick<Ctx<Pick<HubParts, "longWork">>, "isLarge" | "hub">;

/** Processes a request's whole body: at once, or as long work if it is large. */
export const runBodyWork = <T>({ isLarge, hub }: BodyPace, work: () => T): T | Promise<T> =>
  isLarge ? hub.longWork(work) : work();

/** Processes a request's whole body by work that can pause: at once, or in slices if the body is large. */
export const runSlicedBodyWork = <T>({ isLarge, hub }: BodyPace, work: () => SlicedWork<T>): T | Promise<T> =>
  isLarge ? runInSlices(work(), hub.longWork) : runAtOnce(work());

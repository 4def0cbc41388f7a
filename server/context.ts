import type { HubEvent } from "../inngest/events";
import type { Catalogue, ProviderKind } from "./catalogue/model";
import type { Db } from "./db/client";
import type { Env } from "./env";
import type { ByteBudget } from "./lib/byte-budget";
import type { JsonCodec } from "./lib/json/codec";
import type { SentJson } from "./lib/json/sent-json";
import type { LongWork } from "./lib/long-work";
import type { HubMetrics } from "./lib/metrics/hub-metrics";
import type { Nano } from "./lib/money";
import type { Logger } from "./lib/log";
import type { SafeFetch } from "./lib/safe-fetch";
import { runAtOnce, runInSlices, type SlicedWork } from "./lib/slices";
import type { Tracing } from "./lib/tracing/tracing";
import type { PaymentProviders } from "./payments/registry";
import type { Provider } from "./providers/provider";
import type { Storage } from "./storage/storage";

/** A worker that has asked for jobs; times in milliseconds of `hub.now()`. */
export interface WorkerPresence {
  name: string;
  seen: number;
  /** When it was last reported to the other processes. */
  announcedAt: number;
  /** What it asked for, and when. */
  models: Map<string, number>;
}

/** A chat under way in this process. */
export interface ChatInFlight {
  done: Promise<unknown>;
  /** Ends it because the process stops; it settles its record. */
  stop: () => void;
}

/** What runs the jobs: the embedded engine or an Inngest server. */
export interface JobEngine {
  /** Resolves when jobs can be handed to it. Rejects with an OperatorError where its sentence says what is wrong. */
  check(): Promise<void>;
}

/**
 * What one process has once, before the modules of the domain add their services: `Hub` in server/domain/hub.ts is both.
 * A module names the parts that it needs: `Pick<HubParts, "db" | "now">`.
 */
export interface HubParts {
  env: Env;
  /** Key material for encryption, signatures and sessions. */
  secret: string;
  /** What `secret` was before; what it encrypted and signed is accepted too. */
  previousSecret?: string;
  log: Logger;
  /** What the process counts for `/metrics`. */
  metrics: HubMetrics;
  /** Null while traces are off. */
  tracing: Tracing | null;
  /** The only clock. */
  now: () => Date;
  db: Db;
  storage: Storage;
  fetch: SafeFetch;
  /** Replaced as a whole when the operator applies another one. */
  catalogue: Catalogue;
  providers: Partial<Record<ProviderKind, Provider>>;
  /** Who takes payments. */
  payments: PaymentProviders;
  /** The workers that were heard of since the process began, by the id of their token; the one in process has none. */
  presence: Map<string, WorkerPresence>;
  /** What the bodies of all requests under way may hold in memory. */
  bodyBudget: ByteBudget;
  /** The same for callers who have not shown who they are, by their network. */
  anonymousBodyBudget: ByteBudget;
  json: JsonCodec;
  /** Runs work that takes tens of milliseconds, one piece at a time. */
  longWork: LongWork;
  /** The chats under way, by the ids of their generations. */
  chats: Map<string, ChatInFlight>;
  jobEngine: JobEngine;
  /** Set when the process stops, so that balancers send it nothing new. */
  isStopping: boolean;
  /** Tells the job engine, later and in batches. Never throws: the row is the truth, and the sweep repeats what is lost. */
  publish: (event: HubEvent) => void;
}

/** The account as it was when the request was authenticated. */
export interface Account {
  id: number;
  email: string;
  member: boolean;
  balance: Nano;
  reserved: Nano;
  /** Whether events are written down for it; absent where that was not looked up. */
  followsEvents?: boolean;
  /** For how many days it keeps replies of chats; null or absent if it does not. */
  replyRetentionDays?: number | null;
}

/** What a person may do for an account, those that may do most first. */
export const roles = ["owner", "billing", "developer", "viewer"] as const;
export type Role = (typeof roles)[number];

/** What a person may do for the hub: an auditor reads all, an operator also changes it. */
export type HubRole = "operator" | "auditor";

/**
 * What a role may allow: what is the person's own; reading what the account made and has; changing it; its money; its
 * members and settings.
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

/** What a person with a role of the hub sees of an account that is not theirs. */
export interface AccountView {
  until: Date;
  /** Whether prompts, outputs and files are shown: only for a reason. */
  showsContent: boolean;
  /** The account that the session acts for otherwise. */
  ownAccountId: number;
}

/** Who acts for the account. */
export type Actor =
  | {
      kind: "key";
      id: string;
      name: string;
      prefix: string;
      /** What it opens: the API with all of the account, or `/mcp` with what it made itself. */
      scope: "api" | "mcp";
      requireIdempotency: boolean;
      /** The ids of the models that it may use; null for all. */
      allowedModels: string[] | null;
    }
  /** A person who is signed in; a program that acts for the account without a browser has neither session nor person. */
  | {
      kind: "user";
      sessionId?: string;
      person?: Person;
      view?: AccountView | null;
      /** When the person last proved who they are: by a second factor, or without one by signing in. */
      provedAt?: Date | null;
    };

/** Returns the key whose generations and files alone an actor sees; null for an actor that sees those of the account. */
export const onlyKeyOf = (actor: Actor): string | null =>
  actor.kind === "key" && actor.scope === "mcp" ? actor.id : null;

/** One request: what its work needs of the hub, and for whom it acts. */
export interface Ctx<H> {
  hub: H;
  account: Account;
  actor: Actor;
  requestId: string;
  /** Whether the request's body is so large that every look at the whole of it is long work. */
  isLarge?: boolean;
  /** The text of the request's body, where that is passed on. */
  sent?: SentJson | null;
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

/** Whether a request's body is large, and who then works on it. */
export type BodyPace = Pick<Ctx<Pick<HubParts, "longWork">>, "isLarge" | "hub">;

/** Looks at a request's whole body: at once, or as long work when it is large. */
export const runBodyWork = <T>({ isLarge, hub }: BodyPace, work: () => T): T | Promise<T> =>
  isLarge ? hub.longWork(work) : work();

/** Does work on a request's whole body that can pause: at once, or in slices when it is large. */
export const runSlicedBodyWork = <T>({ isLarge, hub }: BodyPace, work: () => SlicedWork<T>): T | Promise<T> =>
  isLarge ? runInSlices(work(), hub.longWork) : runAtOnce(work());

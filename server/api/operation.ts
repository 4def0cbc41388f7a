import type { z } from "@hono/zod-openapi";
import type { Actor, Ctx, Hub } from "../context";
import type { ClientRequest } from "../domain/chat/client-request";
import type { Worker } from "../domain/workers/worker";
import type { Idempotency } from "../domain/generations/find-replay";
import type { RateLimitBucket } from "../domain/rates/consume-rate-limit";
import type { ErrorCode } from "../errors";
import "../lib/issue-messages";

/**
 * What the credential of each kind of operation turns into. A session is the console's cookie, sent by a page of ours.
 * `read-file` takes a key, the cookie or a signed link, which has no account: the file's own verb checks it.
 */
export interface Callers {
  key: Ctx & { actor: Extract<Actor, { kind: "key" }> };
  /** Of no account: a lease says whose job it is. */
  worker: { worker: Worker };
  session: Ctx & { actor: Extract<Actor, { kind: "user" }> };
  "key-or-session": Callers["key"] | Callers["session"];
  "read-file": Callers["key-or-session"] | null;
  none: null;
}
export type Auth = keyof Callers;

/** What a JSON body may have at most: bytes, and values, itself included. */
export interface BodyBounds {
  maxBytes: number;
  maxValues: number;
}

/** How an operation answers its errors. */
export type Envelope = "problem" | "chat";

export interface HandlerArgs<A extends Auth, Query, Body> {
  hub: Hub;
  ctx: Callers[A];
  params: Record<string, string>;
  query: Query;
  body: Body;
  /** Null when the caller sent no Idempotency-Key. */
  idempotency: Idempotency | null;
  /** Null unless the operation `joinsRetries`, and for a caller who sent an Idempotency-Key. */
  client: ClientRequest | null;
  request: Request;
}

/** `json` is sent as JSON, `text` is JSON already, `content` is sent as it is. */
export type HandlerResult = { status?: number; headers?: Record<string, string> } & (
  { json: unknown } | { text: string } | { content: ReadableStream | null }
);

export interface DeclaredResponse {
  description: string;
  schema?: z.ZodType;
  /** Media type of a response that is not JSON. */
  content?: string;
  headers?: Record<string, string>;
  /** Operations that take a member of this answer as their `id`: their names, and the JSON Pointer of the member. */
  links?: Record<string, `/${string}`>;
}

type Parsed<S> = S extends z.ZodType ? z.output<S> : undefined;

/** One public method and path, declared once: what it takes, what it answers, and the line that does it. */
export interface Declaration<
  A extends Auth,
  Query extends z.ZodObject | undefined,
  Body extends z.ZodObject | undefined,
> {
  /** The OpenAPI operationId. */
  name: string;
  method: "get" | "post" | "put" | "patch" | "delete";
  /** The operationId of HEAD, for a path where clients use it. Every GET answers HEAD, described or not. */
  head?: string;
  path: `/api/v1/${string}`;
  tag:
    | "Account"
    | "Models"
    | "Generations"
    | "Chat"
    | "Files"
    | "Characters"
    | "Webhooks"
    | "Workers"
    | "Keys"
    | "Service";
  summary: string;
  description: string;
  auth: A;
  cost: RateLimitBucket | null;
  params?: z.ZodObject;
  query?: Query;
  body?: Body;
  /** The schema of the body as published, where it says more than the one that parses it. */
  publishedBody?: z.ZodObject;
  /** What a JSON body may have at most; a mebibyte and 20,000 values by default. */
  bodyBounds?: BodyBounds;
  /** Media type of a body that the handler reads by itself. */
  upload?: string;
  /** Parts of the multipart form that the handler reads by itself, for the description. */
  form?: z.ZodObject;
  /** `problem` by default. */
  envelope?: Envelope;
  /** Request headers that the handler reads by itself, for the description. */
  requestHeaders?: z.ZodObject;
  /** Takes an Idempotency-Key. */
  idempotent?: boolean;
  /** Answers a retry of an SDK with the result of the request that it repeats. */
  joinsRetries?: boolean;
  responses: Record<number, DeclaredResponse>;
  /** Beside those that follow from `auth`, `query` and `body`. */
  problems: ErrorCode[];
  handler(given: HandlerArgs<A, Parsed<Query>, Parsed<Body>>): HandlerResult | Promise<HandlerResult>;
}

/** Any operation, as the edge that serves it and the description that lists it see it. */
export interface Operation extends Omit<
  Declaration<Auth, z.ZodObject | undefined, z.ZodObject | undefined>,
  "handler"
> {
  handler(given: HandlerArgs<Auth, unknown, unknown>): HandlerResult | Promise<HandlerResult>;
}

/** Declares an operation; the handler's argument has the types of its schemas. */
export const defineOperation = <
  A extends Auth,
  Query extends z.ZodObject | undefined = undefined,
  Body extends z.ZodObject | undefined = undefined,
>(
  declaration: Declaration<A, Query, Body>,
): Operation => declaration;

/** Every code that an operation can answer with, those that follow from its declaration included. */
export function listErrorCodes({ auth, query, body, form, upload, idempotent, problems }: Operation): ErrorCode[] {
  const codes = new Set<ErrorCode>(problems);
  if (auth !== "none") codes.add("unauthorized").add("rate_limited").add("service_unavailable");
  if (query || body || form || idempotent) codes.add("invalid_input");
  if (body || form || upload) codes.add("payload_too_large").add("unsupported_media_type");
  return [...codes.add("internal_error")];
}

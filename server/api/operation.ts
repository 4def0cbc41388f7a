import type { RouteConfig, z } from "@hono/zod-openapi";
import type { Action, Parsed } from "../actions/action";
import type { OperatorAction } from "../actions/operator-action";
import type { Idempotency } from "../domain/generations/replay";
import type { ClientRequest } from "../domain/chat";
import type { Hub } from "../domain/hub";
import type { Operator } from "../domain/operator-actions";
import type { OperatorToken } from "../domain/operator-tokens";
import type { Worker } from "../domain/workers";
import type { SessionCtx } from "../domain/sessions";
import type { RateLimitBucket } from "../domain/rates";
import type { Actor, BodyPace, Ctx, HubRole, Permission } from "../context";
import type { ErrorCode } from "../errors";
import "../lib/issues";
import type { JsonText } from "../lib/json/codec";
import type { SentJson } from "../lib/json/sent-json";

/**
 * The caller of each kind of operation, as authentication resolves it. A session is the console's cookie, sent by one of
 * its pages. `read-file` accepts a key, the cookie or a signed link, which has no account: findSignedFile() checks it.
 */
export interface Callers {
  key: Ctx<Hub> & { actor: Extract<Actor, { kind: "key" }> };
  /** For `/mcp`, which accepts keys of both scopes. */
  mcp: Callers["key"];
  /** A worker belongs to no account: its lease determines the account of a job. */
  worker: { worker: Worker };
  /** An operator's program, which acts for no account. */
  operator: { token: OperatorToken; operator: Operator };
  session: SessionCtx<Hub>;
  "key-or-session": Callers["key"] | Callers["session"];
  "read-file": Callers["key-or-session"] | null;
  none: null;
}
export type Auth = keyof Callers;

/** Limits of a JSON body. The body itself counts as a value. */
export interface BodyBounds {
  maxBytes: number;
  maxValues: number;
}

/**
 * The format of an operation's errors; `openai` uses OpenAI's envelope for every error, including 401, and `responses` the
 * same with the statuses that OpenAI's Responses have. `messages` is Anthropic's.
 */
export type Envelope = "problem" | "chat" | "openai" | "messages" | "responses";

export interface HandlerArgs<A extends Auth, Query, Body> {
  hub: Hub;
  ctx: Callers[A];
  params: Record<string, string>;
  query: Query;
  body: Body;
  /** Null if the caller sent no Idempotency-Key. */
  idempotency: Idempotency | null;
  /** Null if the operation does not join retries, or the caller sent an Idempotency-Key. */
  client: ClientRequest | null;
  request: Request;
  /** Returns whether the caller may still read a long response. */
  isAllowed: () => Promise<boolean>;
}

/** `json` is not serialized yet, `text` is, and `content` is sent unchanged. */
export type HandlerResult = ImmediateResult | DeferredResult;

/**
 * A result that the request only waits for. While it waits, it holds neither its body nor a place among the requests under
 * way, by which a busy process decides whom it admits.
 */
interface DeferredResult {
  wait: () => Promise<ImmediateResult>;
}

export type ImmediateResult = { status?: number; headers?: Record<string, string> } & (
  | { json: unknown }
  | { text: JsonText }
  | { content: ReadableStream | Uint8Array<ArrayBuffer> | null }
);

export interface DeclaredResponse {
  description: string;
  schema?: z.ZodType;
  /** Shown instead of the example that follows from the schema. */
  example?: unknown;
  /** Media type of a response that is not JSON. */
  content?: string;
  headers?: Record<string, string>;
  /** Operations that accept a member of this response as their `id`: their names, and the JSON Pointer of the member. */
  links?: Record<string, `/${string}`>;
}

/** One public method and path: its schemas, its responses and its handler. Serves both routing and OpenAPI. */
export interface Declaration<
  A extends Auth,
  Query extends z.ZodObject | undefined,
  Body extends z.ZodObject | undefined,
> {
  /** The OpenAPI operationId. */
  name: string;
  method: "get" | "post" | "put" | "patch" | "delete";
  /** The operationId of HEAD, if it is documented. Every GET supports HEAD. */
  head?: string;
  path: `/api/v1/${string}` | `/v1/${string}`;
  tag:
    | "Account"
    | "Models"
    | "Generations"
    | "Chat"
    | "Responses"
    | "Files"
    | "Characters"
    | "Webhooks"
    | "Workers"
    | "Keys"
    | "Management"
    | "Service";
  summary: string;
  description: string;
  auth: A;
  /** The permission that a console session needs; required if `auth` accepts sessions. */
  access?: Permission;
  /** The role that an operator's token needs; required if `auth` is `operator`. */
  role?: HubRole;
  cost: RateLimitBucket | null;
  params?: z.ZodObject;
  query?: Query;
  body?: Body;
  /** The schema in OpenAPI, if it is more detailed than the one that parses the body, or if a form may be JSON instead. */
  publishedBody?: z.ZodObject;
  /** By default 1 MiB and 20,000 values. */
  bodyBounds?: BodyBounds;
  /** Whether the body is forwarded as sent: integers may have any size, and repeated members are rejected. */
  forwardsBody?: boolean;
  /** Media type of a body that the handler reads itself. */
  upload?: string;
  /** Whether the query may replace that body; for OpenAPI only. */
  isUploadOptional?: boolean;
  /** Parts of a multipart form that the handler reads itself; for OpenAPI only. */
  form?: z.ZodObject;
  /** `problem` by default. */
  envelope?: Envelope;
  /** Whether a success has an ETag, with which a later request gets 304 while nothing has changed. */
  isConditional?: boolean;
  /** Request headers that the handler reads itself; for OpenAPI only. */
  requestHeaders?: z.ZodObject;
  /** Whether the operation accepts an Idempotency-Key. */
  idempotent?: boolean;
  /** The member of the body that the fingerprint of an Idempotency-Key omits. */
  fingerprintOmits?: string;
  /** Whether an SDK's retry receives the result of the request that it repeats. */
  joinsRetries?: boolean;
  /**
   * Returns the digest of what a request and its repeat have in common, where clients do not mark their retries. By default
   * it is the digest of the body's bytes, and only marked requests are retries.
   */
  identifyRepeat?: (sent: SentJson, pace: BodyPace) => Buffer | Promise<Buffer>;
  responses: Record<number, DeclaredResponse>;
  /** When a key gets 403 `unauthorized`; for OpenAPI only. */
  forbids?: string;
  /** Requests that the hub sends because of the operation; for OpenAPI only. */
  callbacks?: RouteConfig["callbacks"];
  /** Codes in addition to those that follow from `auth`, `query` and `body`. */
  problems: ErrorCode[];
  handler(args: HandlerArgs<A, Parsed<Query>, Parsed<Body>>): HandlerResult | Promise<HandlerResult>;
}

/** Any operation, without the types of its schemas. */
export interface Operation extends Omit<
  Declaration<Auth, z.ZodObject | undefined, z.ZodObject | undefined>,
  "handler"
> {
  handler(args: HandlerArgs<Auth, unknown, unknown>): HandlerResult | Promise<HandlerResult>;
}

/** Returns the declaration as an Operation; the handler's arguments have the types of its schemas. */
export const defineOperation = <
  A extends Auth,
  Query extends z.ZodObject | undefined = undefined,
  Body extends z.ZodObject | undefined = undefined,
>(
  declaration: Declaration<A, Query, Body>,
): Operation => declaration;

/** How REST serves an action: what an operation declares in addition to its action. */
type Serving<A extends Auth, Result> = Omit<
  Declaration<A, undefined, undefined>,
  "access" | "cost" | "body" | "handler"
> & {
  /** The limit in REST, if it differs from the action's. */
  cost?: RateLimitBucket;
  /** Returns the response, if it is more than the result. */
  respond?: (result: Result) => HandlerResult;
};

/**
 * Returns the operation of an action. It responds with the first of the declared statuses and the action's result, or
 * without content if there is none.
 */
export const serveAction = <Schema extends z.ZodType | undefined, Result, A extends "key" | "session">(
  { access, cost, body, run }: Action<Schema, Result>,
  {
    respond = (result) => (result === undefined ? { content: null } : { json: result }),
    ...serving
  }: Serving<A, Result>,
): Operation => ({
  access,
  cost,
  body,
  ...serving,
  handler: async ({ ctx, params, body }) => ({
    status: Number(Object.keys(serving.responses)[0]),
    ...respond(await run(ctx as Callers[A], { ...(body as object), ...params } as Parsed<Schema>)),
  }),
});

/** How REST serves an action of operators: what an operation declares in addition, and how its input is sent. */
type OperatorServing<Input, Result, Query extends z.ZodObject | undefined, Body extends z.ZodObject | undefined> = Omit<
  Declaration<"operator", Query, Body>,
  "access" | "auth" | "body" | "cost" | "handler" | "role" | "tag"
> & {
  readInput: (args: HandlerArgs<"operator", Parsed<Query>, Parsed<Body>>) => Input;
  /** Returns the response, if it is more than the result. */
  respond?: (result: Result, args: HandlerArgs<"operator", Parsed<Query>, Parsed<Body>>) => HandlerResult;
};

/** Returns the operation of an operator's action, as `serveAction` does. */
export const serveOperatorAction = <
  Input,
  Result,
  Query extends z.ZodObject | undefined = undefined,
  Body extends z.ZodObject | undefined = undefined,
>(
  { access: role, body, run }: OperatorAction<Input, Result, Body>,
  {
    readInput,
    respond = (result) => (result === undefined ? { content: null } : { json: result }),
    ...serving
  }: OperatorServing<Input, Result, Query, Body>,
): Operation =>
  defineOperation<"operator", Query, Body>({
    ...serving,
    auth: "operator",
    tag: "Management",
    role,
    cost: serving.method === "get" ? "read" : "write",
    body,
    handler: async (args) => ({
      status: Number(Object.keys(serving.responses)[0]),
      ...respond(await run(args.hub, args.ctx.operator, readInput(args)), args),
    }),
  });

/** Returns every error code of an operation, including those that follow from its declaration. */
export function listErrorCodes({ auth, query, body, form, upload, idempotent, problems }: Operation): ErrorCode[] {
  const codes = new Set<ErrorCode>(problems);
  if (auth !== "none") codes.add("unauthorized").add("rate_limited").add("service_unavailable");
  if (query || body || form || idempotent) codes.add("invalid_input");
  if (body || form || upload) codes.add("payload_too_large").add("unsupported_media_type");
  return [...codes.add("internal_error")];
}

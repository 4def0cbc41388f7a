import { createHash } from "node:crypto";
import type { Context, Hono } from "hono";
import type { z } from "@hono/zod-openapi";
import type { ClientRequest } from "../../domain/chat";
import type { GenerationRequest } from "../../domain/generations/intake";
import type { Generation } from "../../domain/generations/row";
import type { Idempotency } from "../../domain/generations/replay";
import type { Hub } from "../../domain/hub";
import { startGenerationsAndWait } from "../../domain/openai";
import { AppError, isAppError } from "../../errors";
import { readClientRequest, readIdempotency } from "../middleware/retries";
import { readBody } from "../middleware/body";
import type { BodyBounds, Callers, ImmediateResult, Operation } from "../operation";
import type { Host } from "../request-context";
import { createOperationHandler } from "../serve";
import { type Form, readForm } from "./form";

type Caller = Callers["key"];

/** The context and the generation of each request. */
const exchanges = new WeakMap<Request, { context: Context<Host>; generationId?: string }>();

/** Registers an operation of OpenAI's API; its responses name their generation in `X-Generation-Id`. */
export function registerOperation(app: Hono<Host>, hub: Hub, operation: Operation): void {
  const handle = createOperationHandler(hub, operation);
  app.on(operation.method.toUpperCase(), toPattern(operation.path), async (context) => {
    const exchange = { context, generationId: undefined as string | undefined };
    exchanges.set(context.req.raw, exchange);
    const response = await handle(context);
    if (exchange.generationId !== undefined) response.headers.set("X-Generation-Id", exchange.generationId);
    return response;
  });
}

/** Returns the pattern of Hono's router for a path. */
export const toPattern = (path: string): string => path.replace(/\{(\w+)\}/g, ":$1");

/** Names the generation of a request in the response; several are separated by commas. */
export function setGenerationId(request: Request, id: string): void {
  const exchange = exchanges.get(request);
  if (exchange) exchange.generationId = id;
}

/**
 * Returns the result of a chat. If the chat of the same idempotency key is still running, the error names its generation.
 */
export const nameRunning = <T>(request: Request, chat: Promise<T>): Promise<T> =>
  chat.catch((error: unknown) => {
    const running = isAppError(error) ? error.extras.generation_id : undefined;
    if (running !== undefined) setGenerationId(request, running);
    throw error;
  });

/** Returns the idempotency key of a request in the scope of its route. */
export const scopeKey = (idempotency: Idempotency | null, facade: string): Idempotency | null =>
  idempotency && { ...idempotency, facade };

interface MediaRequest {
  ctx: Caller;
  request: Request;
  /** The route, which is the scope of idempotency keys. */
  facade: string;
  idempotency: Idempotency | null;
  client: ClientRequest | null;
  build: () => Promise<GenerationRequest>;
}

/** Starts the generation of a request and waits for its success. Throws the errors of `startGenerationsAndWait`. */
export async function runMedia(
  media: MediaRequest,
): Promise<{ generation: Generation; headers: Record<string, string> }> {
  const { generations, headers } = await runMediaSet(media, 1);
  return { generation: generations[0]!, headers };
}

/** Starts `count` equal generations and waits for their end. Returns those that succeeded; throws like `runMedia`. */
export async function runMediaSet(
  media: MediaRequest,
  count: number,
): Promise<{ generations: Generation[]; headers: Record<string, string> }> {
  const { ctx, request, facade, idempotency, client, build } = media;
  const ids: string[] = [];
  const { generations, replayed } = await startGenerationsAndWait(ctx, count, {
    build,
    client,
    idempotency: scopeKey(idempotency, facade),
    disconnected: request.signal,
    onGeneration(id) {
      ids.push(id);
      setGenerationId(request, ids.join(", "));
    },
  }).catch((error: unknown) => {
    throw renamePlaces(error, new Map());
  });
  return { generations, headers: replayed ? { "Idempotent-Replayed": "true" } : {} };
}

const PARAMETER = /^input\.([^.:]+)/;

/**
 * Returns an error with the locations that the caller knows: OpenAI's parameters are not inside a member `input`, and
 * `names` maps the model's parameters to OpenAI's names for them.
 */
export function renamePlaces(error: unknown, names: Map<string, string>): unknown {
  if (!isAppError(error) || error.code !== "invalid_input" || !error.extras.errors) return error;
  const rename = (text: string) => text.replace(PARAMETER, (_, name: string) => names.get(name) ?? name);
  const errors = Object.entries(error.extras.errors).map(([place, messages]) => [rename(place), messages]);
  const extras = { ...error.extras, errors: Object.fromEntries(errors) as Record<string, string[]> };
  return new AppError(error.code, rename(error.message), extras, error.headers, error.status);
}

/** The idempotency key of a request, and whether it is an SDK's retry. */
export type RetryArgs = Pick<MediaRequest, "idempotency" | "client">;

/** Reads a form with its idempotency key and whether it is an SDK's retry; releases its memory after `handle`. */
export async function withForm(
  ctx: Caller,
  request: Request,
  facade: string,
  handle: (form: Form, retry: RetryArgs) => Promise<ImmediateResult>,
  maxFieldBytes?: number,
): Promise<ImmediateResult> {
  const memory = ctx.hub.bodyBudget.open(ctx.account.id);
  try {
    const form = await readForm(request, ctx.hub.env.UPLOAD_MAX_BYTES, memory, maxFieldBytes);
    const fingerprint = form.digest.toString("hex");
    const idempotency = await readIdempotency(request.headers, ctx, fingerprint);
    const digest = createHash("sha256").update(facade).update("\0").update(form.digest).digest();
    const context = exchanges.get(request)?.context;
    // Files are stored before the wait, which may last for minutes.
    const release = () => {
      form.files.length = 0;
      memory.release();
    };
    return await handle(
      { ...form, release },
      { idempotency, client: context ? readClientRequest(context, digest) : null },
    );
  } finally {
    memory.release();
  }
}

interface JsonBody<S> {
  /** The name of the operation. */
  name: string;
  schema: S;
  bodyBounds: BodyBounds;
}

/** Reads a JSON body of an operation that accepts forms as well, like `withForm`. */
export async function withJson<S extends z.ZodObject>(
  ctx: Caller,
  request: Request,
  { name, schema, bodyBounds }: JsonBody<S>,
  handle: (body: z.output<S>, retry: RetryArgs) => Promise<ImmediateResult>,
): Promise<ImmediateResult> {
  const memory = ctx.hub.bodyBudget.open(ctx.account.id);
  try {
    const operation = { name, method: "post", body: schema, bodyBounds, joinsRetries: true } as const;
    const received = await readBody(ctx.hub, request, memory, operation);
    Object.assign(ctx, { isLarge: received.isLarge });
    const idempotency = await readIdempotency(request.headers, ctx, received.raw);
    const context = exchanges.get(request)?.context;
    const client = context ? readClientRequest(context, received.digest!) : null;
    return await handle(received.body as z.output<S>, { idempotency, client });
  } finally {
    memory.release();
  }
}

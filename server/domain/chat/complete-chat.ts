import type { Route } from "../../catalogue/model";
import { type Ctx, type Hub, runBodyWork } from "../../context";
import { isAppError } from "../../errors";
import type { Failure } from "../../providers/failure";
import { type Idempotency, findStoredAnswer } from "../generations/replay";
import type { Generation } from "../generations/generation";
import type { TokenPrice } from "../pricing/price";
import { chooseUpstreamModel, toUpstreamInput } from "../routing/route-parameters";
import { settleChat } from "../generations/settle-chat";
import { callProviders, type CallOutcome } from "./call-providers";
import { inlineImages } from "./images";
import { finalizeChat } from "./finalize-chat";
import { type Connection, watchConnection } from "./connection";
import { holdForChat } from "./hold-for-chat";
import { trackInFlight } from "./in-flight";
import { joinEarlier } from "./join-earlier";
import { prepareChat } from "./prepare-chat";
import type { ChatBody, ChatRequest, ClientRequest } from "./request";

const internalFailure: Failure = { code: "internal_error", message: "Something failed on our side.", retryable: true };
const unreadableInput: Failure = {
  code: "input_unavailable",
  message: "An image could not be read.",
  retryable: false,
};

export interface Completed {
  /** The response body as text. */
  answer: string;
  replayed: boolean;
}

/**
 * Completes a chat: holds its maximum cost, calls the model's routes and charges what was used. A known idempotency
 * key, or a retry by the client's SDK, returns the earlier answer instead (specification, section 4.5). Throws, in this
 * order, 503 and 409 of the key, 404, 400, 410, 402, and the provider's errors, which cost nothing and release the key.
 */
export async function completeChat(
  ctx: Ctx,
  body: ChatBody,
  idempotency: Idempotency | null,
  client: ClientRequest | null = null,
): Promise<Completed> {
  const earlier = await findEarlier(ctx, idempotency, client);
  if (earlier !== null) return { answer: earlier, replayed: true };
  const connection = watchConnection(ctx, client);
  let answer: string | null = null;
  try {
    const request = await prepareChat(ctx, body);
    const generation = await holdForChat(ctx, request, idempotency, client?.digest ?? null);
    // A concurrent request has committed a generation with this key, so the retry finds it.
    if (!generation) return completeChat(ctx, body, idempotency);
    connection.start(generation.id);
    answer = await trackInFlight(ctx.hub, generation.id, generation.timeout_seconds * 1000, (signal) =>
      runChat(ctx, { request, generation, connection }, signal),
    );
    return { answer, replayed: false };
  } finally {
    connection.end(answer);
  }
}

async function findEarlier(ctx: Ctx, idempotency: Idempotency | null, client: ClientRequest | null) {
  if (idempotency) return findStoredAnswer(ctx, idempotency);
  return client?.isRetry ? joinEarlier(ctx, client) : null;
}

interface ChatRun {
  request: ChatRequest;
  generation: Generation;
  connection: Connection;
}

async function runChat(ctx: Ctx, { request, generation, connection }: ChatRun, signal: AbortSignal): Promise<string> {
  const { hub } = ctx;
  const outcome = await callRoutes(hub, request, generation, signal).catch(async (error: unknown) => {
    const failure = isAppError(error) && error.code !== "service_unavailable" ? unreadableInput : internalFailure;
    await connection.beforeSettle();
    await settleChat(hub, generation.id, { to: "failed", cost: 0n, error: failure, attempts: [] });
    throw error;
  });
  return finalizeChat(ctx, generation, outcome, await connection.beforeSettle());
}

async function callRoutes(
  hub: Hub,
  { input, files, routes, isLarge }: ChatRequest,
  { id, price, account_id }: Generation,
  signal: AbortSignal,
): Promise<CallOutcome> {
  const memory = hub.bodyBudget.open(account_id);
  const pace = <T>(work: () => T) => runBodyWork({ hub, isLarge }, work);
  try {
    const messages = await inlineImages(hub, input.messages, files, memory);
    const limited = await pace(() => limitOutput({ ...input, messages }, (price as TokenPrice).most_output_tokens));
    const bodyFor = (route: Route) =>
      pace(() => ({ ...toUpstreamInput(route, limited), model: chooseUpstreamModel(route, limited) || route.id }));
    const request = { id, isLarge, json: hub.json, reserve: (bytes: number) => memory.add(bytes) };
    return await callProviders(hub, { routes, bodyFor, request }, signal);
  } finally {
    memory.release();
  }
}

const limitNames = ["max_tokens", "max_completion_tokens"] as const;

/**
 * Returns the body with its output limit lowered to `maxOutputTokens`, which the hold covers and the model cannot
 * exceed. A body without a limit gets `max_tokens`.
 */
function limitOutput(body: Record<string, unknown>, maxOutputTokens: number): Record<string, unknown> {
  const limits = limitNames.flatMap((name) => {
    const requested = body[name];
    return typeof requested === "number" ? [[name, Math.min(requested, maxOutputTokens)] as const] : [];
  });
  return { ...body, ...(limits.length > 0 ? Object.fromEntries(limits) : { max_tokens: maxOutputTokens }) };
}

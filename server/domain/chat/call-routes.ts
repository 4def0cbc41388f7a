import type { Route } from "../../catalogue/model";
import { type Hub, runBodyWork } from "../../context";
import { isAppError } from "../../errors";
import type { FailedChat } from "../../providers/chat-call";
import type { Failure } from "../../providers/failure";
import type { Generation } from "../generations/generation";
import type { TokenPrice } from "../pricing/price";
import { chooseUpstreamModel, toUpstreamInput } from "../routing/route-parameters";
import { type AnyState, type CallMethod, type CallOutcome, callProviders } from "./call-providers";
import { inlineImages } from "./images";
import type { ChatRequest } from "./request";

interface RouteCalls<S> {
  request: ChatRequest;
  generation: Generation;
  method: CallMethod<S>;
  /** Returns members that are sent beside the customer's own. */
  extras?: (route: Route) => Record<string, unknown>;
}

/** Sends a chat with its images to the routes of its model, with an output limit that the hold covers. */
export async function callRoutes<S extends AnyState>(
  hub: Hub,
  { request: { input, files, routes, isLarge }, generation, method, extras }: RouteCalls<S>,
  signal: AbortSignal,
): Promise<CallOutcome<S | FailedChat>> {
  const { id, price, account_id } = generation;
  const memory = hub.bodyBudget.open(account_id);
  const pace = <T>(work: () => T) => runBodyWork({ hub, isLarge }, work);
  try {
    const messages = await inlineImages(hub, input.messages, files, memory);
    const limited = await pace(() => limitOutput({ ...input, messages }, (price as TokenPrice).most_output_tokens));
    const bodyFor = (route: Route) =>
      pace(() => ({
        ...toUpstreamInput(route, limited),
        ...extras?.(route),
        model: chooseUpstreamModel(route, limited) || route.id,
      }));
    const request = { id, isLarge, json: hub.json, reserve: (bytes: number) => memory.add(bytes) };
    return await callProviders(hub, { routes, bodyFor, request }, signal, method);
  } finally {
    memory.release();
  }
}

const internalFailure: Failure = { code: "internal_error", message: "Something failed on our side.", retryable: true };
const unreadableInput: Failure = {
  code: "input_unavailable",
  message: "An image could not be read.",
  retryable: false,
};

/** Returns the failure of a chat that could not be sent. */
export const toFailure = (error: unknown): Failure =>
  isAppError(error) && error.code !== "service_unavailable" ? unreadableInput : internalFailure;

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

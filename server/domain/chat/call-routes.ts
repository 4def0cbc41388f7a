import type { Route } from "../../catalogue/model";
import { chooseOutputLimit, type OutputLimit } from "../../catalogue/output-limit";
import { runBodyWork } from "../../context";
import { isAppError } from "../../errors";
import type { SentJson } from "../../lib/json/sent-json";
import type { FailedChat } from "../../providers/chat-call";
import type { Failure } from "../../providers/failure";
import type { Generation } from "../generations/row";
import type { TokenPrice } from "../tokens";
import { chooseUpstreamModel, toUpstreamInput } from "../routing";
import type { AnyState, CallOutcome } from "./call-in-turn";
import { type CallMethod, callProviders, type RouteBody } from "./call-providers";
import { withoutCacheMarks, withoutPricedMembers } from "./native-members";
import type { ChatDialect, NativeRequest } from "../dialects";
import type { ChatHub } from "./hub";
import { ChatAborted } from "./in-flight";
import { inlineFiles, listOwnContents, readFiles } from "./inline-files";
import { speaks } from "./prepare-chat";
import type { ChatRequest } from "./request";

interface RouteCalls<S> {
  request: ChatRequest;
  generation: Generation;
  method: CallMethod<S>;
  /** Returns members that are sent to a route in addition to the customer's. */
  extras?: (route: Route) => Record<string, unknown>;
}

/** Calls the routes of a chat's model with its files inlined and with an output limit that the hold covers. */
export async function callRoutes<S extends AnyState>(
  hub: ChatHub,
  { request, generation, method, extras }: RouteCalls<S>,
  signal: AbortSignal,
): Promise<CallOutcome<S | FailedChat>> {
  const { input, routes, reason, isLarge, sent, dialect, conversation } = request;
  const { id, price, account_id } = generation;
  const memory = hub.bodyBudget.open(account_id);
  const pace = <T>(work: () => T) => runBodyWork({ hub, isLarge }, work);
  try {
    const { native } = dialect;
    const takesNative = (route: Route) => native !== null && speaks(hub, route, dialect.name);
    const isTranslated = !routes.every(takesNative);
    // A provider that speaks the dialect reads files itself, except for the account's own; all others need them as data.
    const files = isTranslated ? request.files : request.files.filter(({ file }) => file !== null);
    const contents = await readFiles(hub, { model: request.model, files }, memory, signal);
    const { messages, texts } = await inlineFiles({ hub, isLarge }, request, isTranslated ? contents : new Map());
    const inlined = { ...input, messages };
    const own = listOwnContents(contents);
    const sentNative =
      native && own.size > 0 ? { ...native, body: await pace(() => native.withFiles(own)), sent: null } : native;
    const maxOutputTokens = (price as TokenPrice).most_output_tokens;
    const bodyFor = (route: Route) =>
      pace((): RouteBody => {
        const upstreamModel = chooseUpstreamModel(route, inlined);
        request.wasSentNative = takesNative(route);
        if (sentNative && request.wasSentNative)
          return toNativeBody(dialect, sentNative, {
            model: upstreamModel || route.id,
            ...(extras && { stream: true }),
            maxOutputTokens,
          });
        // Marks are for routes that take the client's own request: other servers reject members that they do not know.
        const plain = native ? withoutCacheMarks(withoutPricedMembers(inlined, native)) : inlined;
        const limited = limitOutput(plain, chooseOutputLimit(route, upstreamModel), maxOutputTokens);
        const body = Object.assign(toUpstreamInput(route, limited), extras?.(route), {
          model: upstreamModel || route.id,
        });
        const text = sent && (() => writeUpstreamText(body, sent, getOriginalNames(route), texts));
        return { dialect: "chat", body, text };
      });
    const shared = { id, isLarge, json: hub.json, reserve: (bytes: number) => memory.add(bytes) };
    const outcome = await callProviders(hub, { routes, reason, generation, bodyFor, request: shared }, signal, method);
    const { state, attempts } = outcome;
    if (conversation !== null && state.state !== "failed")
      hub.services.stickyRoutes.remember(conversation, attempts.at(-1)!.route);
    return outcome;
  } catch (error) {
    // The time is up, or the client has left, while a file is fetched.
    if (!(error instanceof ChatAborted)) throw error;
    return { state: { state: "failed", error: error.failure, started: false }, attempts: [] };
  } finally {
    memory.release();
  }
}

/** The name of the output limit in other dialects. */
const NATIVE_LIMITS = { messages: "max_tokens", responses: "max_output_tokens" } as const;

interface NativeMembers {
  model: string;
  stream?: true;
  maxOutputTokens: number;
}

/** Returns the client's own request with its model, its output limit and, if it is streamed, `stream` replaced. */
function toNativeBody(
  { name: dialect }: ChatDialect,
  { body: requested, sent, headers }: NativeRequest,
  { maxOutputTokens, ...replaced }: NativeMembers,
): RouteBody {
  const name = NATIVE_LIMITS[dialect as keyof typeof NATIVE_LIMITS];
  const limit = requested[name];
  const lowered = typeof limit === "number" ? Math.min(limit, maxOutputTokens) : maxOutputTokens;
  const body = { ...requested, ...replaced, [name]: lowered };
  return { dialect, body, headers, text: sent && (() => writeUpstreamText(body, sent, {}, new Map())) };
}

/** Returns the customer's names of the members that a route renames, by the route's names. */
const getOriginalNames = ({ rename }: Route): Record<string, string> =>
  Object.fromEntries(Object.entries(rename).map(([name, upstreamName]) => [upstreamName, name]));

/** The failure of a chat by an error of the hub. */
export const internalFailure: Failure = {
  code: "internal_error",
  message: "Something failed on our side.",
  retryable: true,
};
const unreadableInput: Failure = {
  code: "input_unavailable",
  message: "A file could not be read.",
  retryable: false,
};

/** Returns the failure of a chat that could not be sent. */
export const toFailure = (error: unknown): Failure =>
  isAppError(error) && error.code !== "service_unavailable" ? unreadableInput : internalFailure;

/**
 * Returns the body with one output limit, under the name that the route accepts: the lowest of the customer's limits and
 * `maxOutputTokens`, which the hold covers and the model supports.
 */
function limitOutput(body: Record<string, unknown>, name: OutputLimit, maxOutputTokens: number) {
  const { max_tokens, max_completion_tokens, ...limited } = body;
  const requested = [max_tokens, max_completion_tokens].filter((limit) => typeof limit === "number");
  limited[name] = Math.min(...requested, maxOutputTokens);
  return limited;
}

/**
 * Returns the JSON of the body that upstream gets. Members that came from the customer keep the text in which they were sent,
 * with integers of any size; `names` has the customer's names of members that the route renames, `replaced` the text of
 * values that the hub has replaced.
 */
function writeUpstreamText(
  members: Record<string, unknown>,
  sent: SentJson,
  names: Record<string, string>,
  replaced: Map<unknown, Buffer[]>,
): Uint8Array {
  const pieces: Buffer[] = [];
  let pending = "{";
  for (const [name, value] of Object.entries(members)) {
    if (value === undefined) continue;
    pending += `${pending === "{" && pieces.length === 0 ? "" : ","}${JSON.stringify(name)}:`;
    const text = replaced.get(value) ?? findText(sent, name, value) ?? findText(sent, names[name], value);
    if (!text) {
      pending += JSON.stringify(value);
      continue;
    }
    pieces.push(Buffer.from(pending), ...text);
    pending = "";
  }
  return Buffer.concat([...pieces, Buffer.from(`${pending}}`)]);
}

/** Returns the text in which a member was sent, if it still has that value. */
function findText({ text, value, members }: SentJson, name: string | undefined, current: unknown): Buffer[] | null {
  const span = name === undefined ? undefined : members.get(name);
  return span && Object.is(value[name!], current) ? [text.subarray(span.start, span.end)] : null;
}

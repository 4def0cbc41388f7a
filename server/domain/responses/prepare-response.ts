import type { Model } from "../../catalogue/model";
import { type Ctx, runBodyWork } from "../../context";
import { type AppError, invalidInput } from "../../errors";
import { measureJson } from "../../lib/json/measure";
import { type ChatBody, type ChatHub, checkPromptLength, findSpeakers } from "../chat";
import { type ChatDialect, formatDropped } from "../dialects";
import { getModel } from "../models";
import { beginResponse } from "./build-response";
import { createResponsesDialect } from "./dialect";
import type { ResponsesHub } from "./hub";
import { toItemId, toResponseId } from "./ids";
import type { Json } from "./json";
import { rejectFileIds, toNativeRequest } from "./native-request";
import { openReasoning, sealReasoning } from "./reasoning";
import { readOptions, type ResponseOptions } from "./read-request";
import { resolveInput, type ResolvedInput } from "./resolve-input";
import { listFailure } from "./send-events";
import { MAX_STORED_BYTES, storeResponse } from "./stored-response";
import { translateRequest, type TranslatedRequest } from "./translate-request";

/** A request for a response. */
export interface ResponseRequest extends Json {
  model: string;
}

/** A request as the chat that answers it. */
export interface PreparedResponse<Hub> extends Pick<TranslatedRequest, "paths"> {
  ctx: Ctx<Hub>;
  body: ChatBody;
  dialect: ChatDialect;
  isStreamed: boolean;
  /** Returns the value of the header that names what the model did not get, once it answers; null if it got everything. */
  dropped: () => string | null;
  /**
   * Throws 400 for a prompt that is longer than the model's context. Not part of the preparation, because a request that only
   * counts tokens may be longer.
   */
  checkLength(): Promise<void>;
  /** Returns the stream of a response that failed before the chat of this id had begun to answer. */
  streamFailure(id: string, error: AppError): string;
}

/** Prepares a response, and calls `use` with it while the memory of the items that it refers to is reserved. */
export async function withResponse<Hub extends ResponsesHub & ChatHub, Result>(
  ctx: Ctx<Hub>,
  request: ResponseRequest,
  use: (prepared: PreparedResponse<Hub>) => Promise<Result>,
): Promise<Result> {
  const memory = ctx.hub.bodyBudget.open(ctx.account.id);
  try {
    const model = getModel(ctx, request.model);
    const options = readOptions(request);
    const input = await resolveInput(ctx, { input: request.input, previousId: options.previousId }, memory);
    const isLarge = Boolean(ctx.isLarge) || input.addedBytes > LARGE_BYTES;
    const paced = { ...ctx, isLarge };
    return await use(await runBodyWork(paced, () => prepare(paced, { request, model, options, input })));
  } finally {
    memory.release();
  }
}

const LARGE_BYTES = 256 * 1024;

interface Preparation {
  request: ResponseRequest;
  model: Model;
  options: ResponseOptions;
  input: ResolvedInput;
}

function prepare<Hub extends ResponsesHub & ChatHub>(
  ctx: Ctx<Hub>,
  { request, model, options, input }: Preparation,
): PreparedResponse<Hub> {
  const { hub } = ctx;
  const speakers = findSpeakers(ctx, model.id, "responses");
  let needsNative = false;
  const translated = translateRequest(request, input.items, {
    model,
    onUnknown(unknown, path, message) {
      needsNative = true;
      if (!speakers.native) throw invalidInput(`${path}.type`, message);
      rejectFileIds(unknown, path);
    },
    // A conversation may have changed its model, and servers of models without reasoning reject that member.
    openReasoning: (content) => (model.supports.reasoning ? openReasoning(ctx, content) : null),
  });
  const isStored = shouldStore(options, input.own);
  const echo = { request, tools: translated.tools ?? [], previousId: toPublicId(input.previousId), isStored };
  const dialect = createResponsesDialect({
    native: !speakers.native ? null : toNative(ctx, { request, model, options, input }, translated),
    needsNative,
    storesNothing: options.store === false,
    answer: {
      echo,
      names: translated.names,
      includesReasoning: options.includesReasoning,
      now: hub.now,
      seal: isStored || options.includesReasoning ? (text) => sealReasoning(ctx, text) : null,
    },
    store: isStored
      ? (answer, { id }) =>
          storeResponse(ctx, { id, previousId: input.previousId, input: nameItems(input.own, id), answer })
      : null,
  });
  const { body, dropped, unknown, paths } = translated;
  // The hub made the chat's body, so the text that the client has sent is not that of the body.
  const account = options.store === false ? { ...ctx.account, replyRetentionDays: null } : ctx.account;
  const own = { ...ctx, account, sent: null };
  return {
    ctx: own,
    body,
    dialect,
    dropped: () => formatDropped(new Set([...dropped, ...(speakers.native && !dialect.isTranslated() ? [] : unknown)])),
    paths,
    isStreamed: options.stream,
    checkLength: () => checkPromptLength(own, model, body),
    streamFailure: (id, error) =>
      listFailure(beginResponse(echo, { id, model: model.id, created_at: hub.now() }), error),
  };
}

const toPublicId = (id: string | null) => (id === null ? null : toResponseId(id));

const toNative = (ctx: Ctx<ResponsesHub>, { request, model, input }: Preparation, translated: TranslatedRequest) =>
  toNativeRequest(request, {
    items: input.items,
    translated,
    sent: ctx.sent ?? null,
    supportsReasoning: model.supports.reasoning,
  });

/** Returns whether the response is stored: unless the client forbids it, and if its input is not too large. */
function shouldStore({ store }: ResponseOptions, own: Json[]): boolean {
  if (store === false) return false;
  if (measureJson(own, MAX_STORED_BYTES) <= MAX_STORED_BYTES) return true;
  if (store === true) throw invalidInput("store", "must be false for an input of more than 4 MiB");
  return false;
}

/** Returns the items of a request with ids, by which later requests refer to them. */
const nameItems = (items: Json[], responseId: string): Json[] =>
  items.map((item, index) => {
    const type = item.type ?? "message";
    return { ...item, type, id: item.id ?? toItemId(type, { responseId, part: "input", index }) };
  });

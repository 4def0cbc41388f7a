import { type Ctx, runBodyWork } from "../../context";
import { responseTooLate } from "../../errors";
import { estimateTokensOf } from "../../lib/estimate-tokens";
import type { JsonText } from "../../lib/json/codec";
import { countPieces, minTokensOf } from "../../lib/min-tokens";
import type { Nano } from "../../lib/money";
import type { ChatState, Completion } from "../../providers/chat-call";
import type { Failure } from "../../providers/failure";
import { showUsage } from "../exposure";
import type { Generation } from "../generations/row";
import { computeCost } from "../pricing";
import { chargeFor, type TokenPrice, type TokenUsage } from "../tokens";
import { settleChat } from "../generations/end";
import type { CallOutcome } from "./call-in-turn";
import type { Connection } from "./connection";
import { chatError } from "./chat-error";
import { serializeUsage } from "../dialects";
import { findChargedUsage, findProviderCost, logImplausibleUsage } from "./charged-usage";
import { countPrompt } from "./count-prompt";
import { leavePayment } from "./find-earlier";
import type { ChatHub } from "./hub";
import { findRequestedTier } from "./native-members";
import { serializeReply } from "./reply";
import { findMedium, listLimitedTexts, listTexts, type Medium } from "./reply-texts";
import type { ChatRequest } from "./request";
import { readUpstreamId } from "./upstream-id";

type Succeeded = Extract<ChatState, { state: "succeeded" }>;

const unusableAnswer: Failure = {
  code: "invalid_output",
  message: "The provider's response could not be used.",
  retryable: true,
};

/**
 * Settles a chat and returns its response body, which is stored if its client has left. A failure costs nothing and is
 * thrown, and so is an answer that cannot be priced or serialized.
 */
export async function finalizeChat(
  ctx: Ctx<ChatHub>,
  { request, generation }: { request: ChatRequest; generation: Generation },
  { state, attempts }: CallOutcome,
  connection: Connection,
): Promise<JsonText> {
  const { hub } = ctx;
  const bill =
    state.state === "succeeded"
      ? await makeBill(ctx, request, generation, state).catch(() => unusableAnswer)
      : state.error;
  if ("code" in bill) {
    if (state.state === "succeeded") Object.assign(attempts.at(-1)!, { outcome: "failed", cost: "0", code: bill.code });
    await leavePayment(generation, connection);
    await connection.beforeSettle();
    await settleChat(hub, generation.id, { to: "failed", cost: 0n, error: bill, attempts });
    throw chatError(hub, state.state === "failed" ? state : { error: bill });
  }
  if (state.state === "succeeded") {
    attempts.at(-1)!.upstream_id = readUpstreamId(state.completion);
    const reasons = state.completion.choices.map(({ finish_reason }) => finish_reason);
    hub.tracing?.annotate({ "gen_ai.response.finish_reasons": reasons });
  }
  const { body, answer, cost, usage, reply } = bill;
  attempts.at(-1)!.cost = String(findProviderCost(hub, request, attempts.at(-1)!, usage) ?? cost);
  const clientLeft = await connection.beforeSettle();
  // A delivered answer without an idempotency key can never be requested again.
  const isRepeatable = generation.idempotency_key !== null || clientLeft;
  const isSettled = await settleChat(hub, generation.id, {
    to: "succeeded",
    cost,
    usage,
    reply,
    answer: isRepeatable ? connection.toStored(generation.id, answer) : undefined,
    attempts,
    limits: ctx.account.limits,
  });
  // The sweep has failed the chat and released its hold, so the answer was not charged and is not returned.
  if (!isSettled) throw responseTooLate();
  await request.dialect.store?.(body, generation);
  return answer;
}

interface Bill {
  /** The response body, and its JSON. */
  body: Record<string, unknown>;
  answer: JsonText;
  /** The cost of the provider's work, which may exceed the estimate. */
  cost: Nano;
  usage: TokenUsage;
  /** What is stored of the reply, if the account keeps replies. */
  reply: string | undefined;
}

async function makeBill(
  { hub, account }: Ctx<ChatHub>,
  request: ChatRequest,
  generation: Generation,
  { completion, isLarge = false }: Succeeded,
): Promise<Bill> {
  const price = generation.price as TokenPrice;
  const { estimated_cost: estimate } = generation;
  const medium = findAnswerMedium(completion);
  const text = {
    hasOutput: medium !== null || hasText(completion),
    medium,
    countPrompt: () => countPrompt(request, price),
    countOutput: () => estimateTokensOf(listReplyTexts(completion)),
    countMinOutput: async () =>
      minTokensOf(await estimateTokensOf(listReplyTexts(completion, listLimitedTexts), countPieces)),
  };
  const reported = { usage: completion.usage, serviceTier: completion.service_tier, isCurrent: true };
  const usage = await findChargedUsage(reported, text, price, findRequestedTier(request));
  if (usage.isImplausible) logImplausibleUsage(hub, generation, completion.usage);
  const cost = computeCost(price, estimate, usage);
  const charged = chargeFor(price, estimate, cost);
  const billed = serializeUsage(showUsage(hub.exposure, completion.usage), usage.tokens, charged);
  const answer = request.dialect.buildAnswer(completion, generation, billed);
  const keepsReplies = typeof account.replyRetentionDays === "number";
  return {
    body: answer,
    answer: await hub.json.stringify(answer, { isLarge }),
    cost,
    usage,
    reply: keepsReplies ? await runBodyWork({ hub, isLarge }, () => serializeReply(completion)) : undefined,
  };
}

function* listReplyTexts({ choices }: Completion, list = listTexts): Generator<string> {
  for (const { message } of choices) yield* list(message);
}

const findAnswerMedium = ({ choices }: Completion): Medium | null =>
  choices.map(({ message }) => findMedium(message)).find((medium) => medium !== null) ?? null;

function hasText(completion: Completion): boolean {
  for (const text of listReplyTexts(completion)) if (text !== "") return true;
  return false;
}

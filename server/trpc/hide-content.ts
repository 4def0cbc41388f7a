import type { Actor } from "../context";
import type { serializeGeneration, toListItem } from "../domain/generations/read";
import type { serializeDelivery } from "../domain/deliveries";
import type { RequestItem } from "../domain/requests";

/** Returns whether prompts, outputs and files are hidden from an actor, who views the account without a reason. */
export const isContentHidden = (actor: Actor): boolean => actor.kind === "user" && actor.view?.showsContent === false;

/** Returns an item of a list without its prompt, its output and its error's message, if those are hidden from the actor. */
export const hideItemContent = <T extends ReturnType<typeof toListItem>>(actor: Actor, item: T): T =>
  isContentHidden(actor) ? { ...item, title: null, output: null, error: hideError(item.error) } : item;

const hideError = <T extends { message: string } | null>(error: T): T => error && { ...error, message: HIDDEN };

/**
 * Returns a generation without its input, labels, outputs, log and reply, if those are hidden from the actor, and
 * without texts that may quote them: the provider's error and the responses of webhooks.
 */
export function hideRecordContent<
  T extends ReturnType<typeof serializeGeneration> & {
    chat: unknown;
    log: unknown[];
    stored_outputs: unknown[];
    deliveries: SentDelivery[];
  },
>(actor: Actor, record: T): T {
  if (!isContentHidden(actor)) return record;
  const { error, deliveries } = record;
  return {
    ...record,
    input: {},
    metadata: {},
    end_user: null,
    outputs: [],
    missing: [],
    chat: null,
    log: [],
    stored_outputs: [],
    error: hideError(error),
    deliveries: deliveries.map((delivery) => hideResponses(actor, delivery)),
  };
}

const HIDDEN = "View the account with a reason to see this message.";

type SentDelivery = ReturnType<typeof serializeDelivery>;

/** Returns a delivery without the responses of its attempts, which may quote its body, if that is hidden from the actor. */
export const hideResponses = <T extends SentDelivery>(actor: Actor, delivery: T): T =>
  isContentHidden(actor)
    ? { ...delivery, attempts: delivery.attempts.map((attempt) => ({ ...attempt, response: null })) }
    : delivery;

/** Returns a request without its error's message, which may quote it, if content is hidden from the actor. */
export function hideRequestContent(actor: Actor, request: RequestItem): RequestItem {
  if (!isContentHidden(actor)) return request;
  return request.kind === "rejected"
    ? { ...request, message: HIDDEN }
    : { ...request, error: hideError(request.error) };
}

import { z } from "zod";
import { isStorable } from "../../lib/json/storable";
import { MalformedEvent, type ProviderEvent } from "../provider";
import { idOf } from "./read-state";

/** What the hub asks Stripe to report. docs/payments.md lists them. */
export const eventKinds = [
  "checkout.session.completed",
  "checkout.session.async_payment_succeeded",
  "checkout.session.async_payment_failed",
  "checkout.session.expired",
  "invoice.paid",
  "invoice.payment_failed",
  "invoice.voided",
  "payment_intent.succeeded",
  "payment_intent.payment_failed",
  "charge.refunded",
  "refund.created",
  "refund.updated",
  "refund.failed",
  "charge.dispute.created",
  "charge.dispute.updated",
  "charge.dispute.funds_withdrawn",
  "charge.dispute.funds_reinstated",
  "charge.dispute.closed",
  "payment_method.detached",
  "payment_method.automatically_updated",
] as const;
const kinds = new Set<string>(eventKinds);

// A signature proves who sent an event, not that it has the shape of the API version that the hub knows.
const Id = z.string().min(1).max(255).refine(isStorable);
const Reference = z.union([Id, z.object({ id: Id })]).nullish();
const Subject = z.object({
  object: z.string().optional(),
  id: Id.optional(),
  payment_intent: Reference,
  customer: Reference,
});
const Kind = z.object({ type: z.string() });
const Event = z.object({
  id: Id,
  data: z.object({ object: Subject, previous_attributes: Subject.nullish() }),
});

function parse<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const { success, data } = schema.safeParse(value);
  if (!success) throw new MalformedEvent("This is not an event of Stripe.");
  return data;
}

/**
 * Returns what an event is about; null for a kind that the hub does not use. Throws MalformedEvent for an unknown shape.
 */
export function toProviderEvent(event: unknown): ProviderEvent | null {
  const { type } = parse(Kind, event);
  if (!kinds.has(type)) return null;
  const { id, data } = parse(Event, event);
  return { id, kind: type, ...readSubject(data) };
}

function readSubject({ object: subject, previous_attributes: previous }: z.output<typeof Event>["data"]) {
  const isPayment = subject.object === "checkout.session" || subject.object === "invoice";
  return {
    ref: (isPayment && subject.id) || null,
    intent: (subject.object === "payment_intent" ? subject.id : idOf(subject.payment_intent)) ?? null,
    // A method that was detached names its customer only before the change.
    customer: idOf(subject.customer) ?? idOf(previous?.customer),
  };
}

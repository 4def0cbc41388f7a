import type { Ctx, Labels, Metadata } from "../../context";
import { invalidInput } from "../../errors";
import { isObject } from "../../lib/is-object";
import { mergePairs, toEndUser } from "./metadata";

/** Labels of a request's body, not validated yet. */
interface SentLabels {
  metadata?: unknown;
  endUser?: unknown;
}

/**
 * Returns the context of a request whose body has labels, which take precedence over those of its headers. What does not fit
 * is left out.
 */
export function withLabels<C extends { labels?: Labels }>(ctx: C, { metadata, endUser }: SentLabels): C {
  const pairs = mergePairs(metadata, ctx.labels?.metadata);
  const user = toEndUser(endUser) ?? ctx.labels?.endUser ?? null;
  return pairs || user !== null ? { ...ctx, labels: { metadata: pairs, endUser: user } } : ctx;
}

/** Returns the context of a request in OpenAI's format, which names its end user as `safety_identifier`, else as `user`. */
export const withOpenAiLabels = <C extends { labels?: Labels }>(
  ctx: C,
  { metadata, safety_identifier, user }: Record<string, unknown>,
): C => withLabels(ctx, { metadata, endUser: toEndUser(safety_identifier) ?? user });

/**
 * Returns the context and the body of a chat in OpenAI's format. The body keeps no metadata, because providers reject that
 * member unless they store the chat.
 */
export function labelChat<C extends { labels?: Labels }, B extends Record<string, unknown>>(ctx: C, body: B) {
  const chat = { ...body };
  if (body.store !== true) delete chat.metadata;
  return { ctx: withOpenAiLabels(ctx, body), body: chat };
}

/** Returns the context of a request in Anthropic's format, which names its end user in its metadata. */
export function withMessagesLabels<C extends { labels?: Labels }>(ctx: C, { metadata }: Record<string, unknown>): C {
  if (!isObject(metadata)) return ctx;
  const { user_id: endUser, ...pairs } = metadata;
  return withLabels(ctx, { metadata: pairs, endUser });
}

/** The columns of a generation that label it. */
interface LabelColumns {
  metadata: Metadata | null;
  end_user: string | null;
}

/** Returns the labels of a caller: the pairs of the API key, which a request cannot override, and those of the request. */
export const readLabels = ({ actor, labels }: Pick<Ctx<unknown>, "actor" | "labels">): LabelColumns => ({
  metadata: mergePairs(actor.kind === "key" ? actor.metadata : null, labels?.metadata),
  end_user: labels?.endUser ?? null,
});

/** Returns the labels of a new generation. Throws 400 without an end user if the key requires one. */
export function chooseLabels(caller: Pick<Ctx<unknown>, "actor" | "labels">): LabelColumns {
  const { actor } = caller;
  const chosen = readLabels(caller);
  if (actor.kind === "key" && actor.requireEndUser && chosen.end_user === null)
    throw invalidInput("end_user", "is required for this API key: name your end user in the body or in X-Hub-End-User");
  return chosen;
}

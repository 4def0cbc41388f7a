import type { Actor } from "../context";
import type { toListItem } from "../domain/generations/to-list-item";
import type { serializeGeneration } from "../domain/generations/serialize-generation";

/** Returns whether prompts, outputs and files are hidden from an actor, who views the account without a reason. */
export const isContentHidden = (actor: Actor): boolean => actor.kind === "user" && actor.view?.showsContent === false;

/** Returns an item of a list without its prompt and output, if those are hidden from the actor. */
export const hideItemContent = <T extends ReturnType<typeof toListItem>>(actor: Actor, item: T): T =>
  isContentHidden(actor) ? { ...item, title: null, output: null } : item;

/** Returns a generation without its input, outputs and reply, if those are hidden from the actor. */
export const hideRecordContent = <T extends ReturnType<typeof serializeGeneration> & { chat: unknown }>(
  actor: Actor,
  record: T,
): T => (isContentHidden(actor) ? { ...record, input: {}, outputs: [], missing: null, chat: null } : record);

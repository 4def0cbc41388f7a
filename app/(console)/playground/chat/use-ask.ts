"use client";

import { useStorageAccount } from "../../../storage/storage-account";
import { errorsOf } from "../../../ui/errors-of";
import { newKey } from "../../../ui/use-idempotency-key";
import { findChat, saveChat } from "./stored-chats";
import type { Settings, Turn } from "./turn";
import { Stopped, useRequestReply } from "./use-request-reply";

/** Returns a function that asks a question, shows its progress by `onTurns`, and keeps the chat in this browser. */
export function useAsk(model: string, onTurns: (turns: Turn[]) => void) {
  const accountId = useStorageAccount();
  const { requestReply, ...request } = useRequestReply(model);

  /**
   * Requests the reply to `question` after the turns `before`, in the chat `id`. Returns false when the hub rejected the
   * question, which is then taken back; a question whose fate is unknown stays.
   */
  const ask = async (id: string, before: Turn[], question: Turn, settings: Settings): Promise<boolean> => {
    const sent = question.sent ?? { key: newKey(), settings };
    const show = (turns: Turn[]) => {
      onTurns(turns);
      saveChat(accountId, { id, model, turns, settings: sent.settings });
    };
    show([...before, { ...question, sent }]);
    try {
      const reply = await requestReply({ turns: [...before, question], ...sent });
      const stored = findChat(accountId, id);
      // The page may have been left, and the chat continued or deleted meanwhile.
      if (!stored || stored.turns.at(-1)?.sent?.key === sent.key)
        show([...before, { ...question, sent: undefined }, reply]);
      return true;
    } catch (error) {
      // The hub may still complete what it has received, so the question stays, with the key that fetches its reply.
      if (error instanceof Stopped || errorsOf(error)?.code === null) return true;
      show(before);
      return false;
    }
  };
  return { ...request, ask };
}

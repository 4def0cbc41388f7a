"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { useStorageAccount } from "../../../storage/storage-account";
import { useTRPC, useTRPCClient } from "../../../trpc/client";
import { errorsOf } from "../../../ui/errors-of";
import { newKey } from "../../../ui/use-idempotency-key";
import { findChat, saveChat } from "./stored-chats";
import { inputOf, type Settings, type Turn } from "./turn";

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

const RETRY_INTERVAL_MS = 1_500;

/** Thrown when the user stops waiting for a reply. */
class Stopped extends Error {}

interface Request {
  turns: Turn[];
  /** A request that is sent again with the same key is neither repeated nor charged twice. */
  key: string;
  settings: Settings;
}

/** Returns a function that requests the reply to the last turn, and one that stops waiting for it. */
function useRequestReply(model: string) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const queries = useQueryClient();
  const controller = useRef<AbortController>(null);
  const mutation = useMutation({
    mutationFn: async ({ turns, key, settings }: Request): Promise<Turn> => {
      const { signal } = (controller.current = new AbortController());
      const body = { idempotencyKey: key, model, ...inputOf(turns, settings) };
      const send = () => orStop(client.playground.chat.mutate(body, { signal }), signal);
      for (;;) {
        const completion = await send().catch((error: unknown) => {
          // An earlier request with this key is still being answered.
          if (errorsOf(error)?.code !== "generation_in_progress") throw error;
        });
        if (completion) return toReply(completion);
        await orStop(new Promise((resolve) => setTimeout(resolve, RETRY_INTERVAL_MS)), signal);
      }
    },
    onSettled: () => queries.invalidateQueries(trpc.account.get.queryFilter()),
  });
  return {
    requestReply: mutation.mutateAsync,
    stop: () => controller.current?.abort(),
    isBusy: mutation.isPending,
    error: mutation.error instanceof Stopped ? null : mutation.error,
    isStopped: mutation.error instanceof Stopped,
    reset: mutation.reset,
  };
}

/** Returns what the promise does, or throws `Stopped` as soon as the signal is aborted. */
const orStop = <T>(promise: Promise<T>, signal: AbortSignal): Promise<T> =>
  new Promise((resolve, reject) => {
    signal.addEventListener("abort", () => reject(new Stopped()), { once: true });
    promise.then(resolve, reject);
  });

interface Completion {
  id: string;
  choices: { message: { content: string | null }; finish_reason: string }[];
  usage: NonNullable<Turn["usage"]>;
}

function toReply({ id, choices: [choice], usage }: Completion): Turn {
  const isCut = choice?.finish_reason === "length";
  return { role: "assistant", text: choice?.message.content ?? "", images: [], usage, isCut, id };
}

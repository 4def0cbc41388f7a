"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTRPC } from "../../trpc/client";
import { useIdempotencyKey } from "../../ui/use-idempotency-key";
import type { Settings, Turn } from "./turn";

/** Returns a turn as a message of the API. */
const messageOf = ({ role, text, images }: Turn) => ({
  role,
  content:
    images.length === 0
      ? text
      : [{ type: "text", text }, ...images.map((url) => ({ type: "image_url", image_url: { url } }))],
});

/** Returns the input of the next request. */
export const inputOf = (turns: Turn[], { system = "", max_tokens }: Settings) => ({
  messages: [...(system.trim() ? [{ role: "system", content: system }] : []), ...turns.map(messageOf)],
  ...(max_tokens === undefined ? {} : { max_tokens }),
});

/** Keeps a conversation with a text model; a failed question is removed again. */
export function useChat(model: string, initialChat: Turn[]) {
  const trpc = useTRPC();
  const client = useQueryClient();
  const { keyFor, clearKey } = useIdempotencyKey();
  const [turns, setTurns] = useState(initialChat);
  const send = useMutation(
    trpc.playground.chat.mutationOptions({
      onSettled: () => client.invalidateQueries(trpc.account.get.queryFilter()),
    }),
  );
  const ask = async (question: Turn, settings: Settings): Promise<boolean> => {
    const messages = [...turns, question];
    const input = inputOf(messages, settings);
    setTurns(messages);
    try {
      const { id, choices, usage } = await send.mutateAsync({ idempotencyKey: keyFor(input), model, ...input });
      clearKey();
      const [{ message, finish_reason } = { message: null, finish_reason: "" }] = choices;
      const isCut = finish_reason === "length";
      setTurns([...messages, { role: "assistant", text: message?.content ?? "", images: [], usage, isCut, id }]);
      return true;
    } catch {
      setTurns(turns);
      return false;
    }
  };
  const clear = () => {
    setTurns([]);
    send.reset();
  };
  return { turns, ask, clear, isBusy: send.isPending, error: send.error };
}

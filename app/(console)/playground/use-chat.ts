"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTRPC } from "../../trpc/client";
import { useOnce } from "../../ui/use-once";
import type { Settings, Turn } from "./turn";

/** A turn as the API takes it. */
const messageOf = ({ role, text, images }: Turn) => ({
  role,
  content:
    images.length === 0
      ? text
      : [{ type: "text", text }, ...images.map((url) => ({ type: "image_url", image_url: { url } }))],
});

/** What is sent with the next question. */
export const inputOf = (turns: Turn[], { system = "", max_tokens }: Settings) => ({
  messages: [...(system.trim() ? [{ role: "system", content: system }] : []), ...turns.map(messageOf)],
  ...(max_tokens === undefined ? {} : { max_tokens }),
});

/** A conversation with a text model; a question that fails is taken out again. */
export function useChat(model: string, beginning: Turn[]) {
  const trpc = useTRPC();
  const client = useQueryClient();
  const { nameOf, answered } = useOnce();
  const [turns, setTurns] = useState(beginning);
  const send = useMutation(
    trpc.playground.chat.mutationOptions({
      onSettled: () => client.invalidateQueries(trpc.account.get.queryFilter()),
    }),
  );
  const ask = async (question: Turn, settings: Settings): Promise<boolean> => {
    const asked = [...turns, question];
    const input = inputOf(asked, settings);
    setTurns(asked);
    try {
      const { id, choices, usage } = await send.mutateAsync({ idempotencyKey: nameOf(input), model, ...input });
      answered();
      const [{ message, finish_reason } = { message: null, finish_reason: "" }] = choices;
      const isCut = finish_reason === "length";
      setTurns([...asked, { role: "assistant", text: message?.content ?? "", images: [], usage, isCut, id }]);
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

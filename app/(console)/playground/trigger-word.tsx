"use client";

import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useTRPC } from "../../trpc/client";
import type { Model } from "../models/types";
import type { Input } from "./use-input";

interface Props {
  model: Model;
  input: Input;
  onAdd: (prompt: string) => void;
}

/** Shows the trigger word of the chosen character, and adds it to a prompt without it. */
export function TriggerWord({ model, input: { character, prompt }, onAdd }: Props) {
  const { data: characters } = useQuery(useTRPC().characters.usable.queryOptions({ model: model.id }));
  const word = characters?.find(({ id }) => id === character)?.trigger_word;
  if (!word) return null;
  const text = typeof prompt === "string" ? prompt : "";
  const chip = "rounded-full border border-line px-2.5 py-0.5 font-mono text-xs";
  return (
    <p className="-mt-3 flex flex-wrap items-center gap-2 text-xs text-soft">
      <span>Trigger word </span>
      {text.includes(word) ? (
        <span className={`${chip} bg-wash text-ink`}>{word}</span>
      ) : (
        <button
          type="button"
          onClick={() => onAdd(`${word} ${text}`)}
          className={`${chip} inline-flex cursor-pointer items-center gap-1 text-ink hover:bg-sunken pointer-coarse:min-h-11`}
        >
          <Plus size={12} aria-hidden />
          Add {word} to the prompt
        </button>
      )}
    </p>
  );
}

"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useEffect, useRef } from "react";
import { useTRPC } from "../../trpc/client";
import { Input } from "../../ui/controls";
import { UUID } from "./read-filters";

const DEBOUNCE_MS = 300;

interface Props {
  /** The search of the URL. */
  value: string;
  onChange: (value: string) => void;
}

/** Searches the list while somebody types. The id of a generation opens its record instead. */
export function GenerationSearch({ value, onChange }: Props) {
  const field = useRef<HTMLInputElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const openOrSearch = useOpenById(onChange);
  useEffect(() => () => clearTimeout(timer.current), []);
  // "Clear filters" and Back change the URL from outside.
  useEffect(() => {
    if (field.current && document.activeElement !== field.current) field.current.value = value;
  }, [value]);
  const search = (text: string, delayMs: number) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => void openOrSearch(text.trim()), delayMs);
  };
  return (
    <Input
      ref={field}
      type="search"
      aria-label="Search generations"
      aria-keyshortcuts="/"
      placeholder="Search prompt or ID"
      maxLength={200}
      defaultValue={value}
      onChange={({ target }) => search(target.value, UUID.test(target.value.trim()) ? 0 : DEBOUNCE_MS)}
      onKeyDown={(event) => event.key === "Enter" && search(event.currentTarget.value, 0)}
      className="min-h-9 min-w-0 flex-1 basis-40 rounded-lg border border-strong-line bg-raised px-3 text-base sm:text-sm pointer-coarse:min-h-11"
    />
  );
}

/** Returns a function that opens the generation with an id, and passes any other text to `search`. */
function useOpenById(search: (text: string) => void) {
  const trpc = useTRPC();
  const client = useQueryClient();
  const router = useRouter();
  return async (text: string) => {
    if (!UUID.test(text)) return search(text);
    const found = await client.fetchQuery(trpc.generations.list.queryOptions({ q: text })).catch(() => null);
    const [first] = found?.data ?? [];
    // Any other id may be that of a batch.
    if (first?.id !== text.toLowerCase()) return search(text);
    search("");
    router.push(`/generations/${first.id}`);
  };
}

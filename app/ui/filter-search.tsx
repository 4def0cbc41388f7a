"use client";

import { type ComponentProps, useEffect, useRef } from "react";
import { Input } from "./controls";

const SEARCH_DELAY_MS = 300;

interface Props extends ComponentProps<"input"> {
  /** The search of the URL. */
  value: string;
  /** Receives the text once nothing was typed for 300 ms, or at once on Enter and for a text that is complete. */
  onSearch: (text: string) => void;
  isComplete?: (text: string) => boolean;
}

/** Renders a search field that filters a list while somebody types. */
export function FilterSearch({ value, onSearch, isComplete, className = "", ...props }: Props) {
  const field = useRef<HTMLInputElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  // "Clear filters" and Back change the URL from outside.
  useEffect(() => {
    if (field.current && document.activeElement !== field.current) field.current.value = value;
  }, [value]);
  const search = (text: string, delayMs: number) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => onSearch(text), delayMs);
  };
  return (
    <Input
      {...props}
      ref={field}
      type="search"
      maxLength={200}
      defaultValue={value}
      onChange={({ target }) => search(target.value.trim(), isComplete?.(target.value.trim()) ? 0 : SEARCH_DELAY_MS)}
      onKeyDown={({ key, currentTarget }) => key === "Enter" && search(currentTarget.value.trim(), 0)}
      className={`min-h-9 min-w-0 flex-1 rounded-lg border border-strong-line bg-raised px-3 text-base sm:text-sm pointer-coarse:min-h-11 ${className}`}
    />
  );
}

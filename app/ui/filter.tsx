"use client";

import { type ComponentProps, useEffect, useRef } from "react";
import { Input, Select } from "./controls";

const baseClass =
  "min-h-9 min-w-0 rounded-lg border border-strong-line bg-raised px-2.5 text-base text-ink sm:text-sm pointer-coarse:min-h-11";

/** On a phone the fields are stacked and aligned. */
const fieldClass = `${baseClass} max-sm:w-3/5`;
const labelClass = "flex min-w-0 items-center gap-2 text-sm text-soft max-sm:w-full max-sm:justify-between";

type Labelled = { label: string };

/** Renders a labelled select that filters a list. */
export const FilterSelect = ({ label, ...props }: ComponentProps<"select"> & Labelled) => (
  <label className={labelClass}>
    {label}
    <Select {...props} className={fieldClass} />
  </label>
);

export const FilterDate = ({ label, ...props }: ComponentProps<"input"> & Labelled) => (
  <label className={labelClass}>
    {label}
    <Input type="date" {...props} className={fieldClass} />
  </label>
);

export const FilterCheck = ({ label, ...props }: ComponentProps<"input"> & Labelled) => (
  <label className="flex min-h-9 cursor-pointer items-center gap-2 text-sm text-soft pointer-coarse:min-h-11">
    <Input type="checkbox" {...props} className="size-4 accent-accent" />
    {label}
  </label>
);

const SEARCH_DELAY_MS = 300;

interface SearchProps extends ComponentProps<"input"> {
  /** The search of the URL. */
  value: string;
  /** Receives the text once nothing was typed for 300 ms, or at once on Enter and for a text that is complete. */
  onSearch: (text: string) => void;
  isComplete?: (text: string) => boolean;
}

/** Renders a search field that filters a list while somebody types. */
export function FilterSearch({ value, onSearch, isComplete, className = "", ...props }: SearchProps) {
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

/** Renders the filter bar above a list. A long option does not push the other fields away. */
export const Filters = (props: ComponentProps<"div">) => (
  <div
    role="search"
    {...props}
    className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line px-5 py-3 sm:[&_select]:max-w-40"
  />
);

"use client";

import { type KeyboardEvent, type ReactNode, useEffect, useRef } from "react";
import { Input } from "../../ui/controls";
import { useSearch } from "../../ui/use-search";
import { filterOperations } from "./filter-operations";
import type { ListedOperation } from "./listed-operation";

interface Props {
  operations: ListedOperation[];
  /** Renders the list; `words` is empty without a filter. */
  children: (found: ListedOperation[], words: string) => ReactNode;
}

/** Filters a list of operations by words in the URL. Keys: / focuses the field, arrows move through the list, Enter opens the first one. */
export function OperationFilter({ operations, children }: Props) {
  const { read, change } = useSearch();
  const words = read("q")?.trim() ?? "";
  const found = filterOperations(operations, words);
  const list = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLInputElement>(null);
  useSlashKey(() => field.current?.focus());
  const links = () => [...(list.current?.querySelectorAll("a") ?? [])];
  const onKeyDown = (event: KeyboardEvent) => {
    const all = links();
    const index = all.indexOf(document.activeElement as HTMLAnchorElement);
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === "Escape" && index >= 0) field.current?.focus();
    if (step === undefined) return;
    event.preventDefault();
    (index + step < 0 ? field.current : all[index + step])?.focus();
  };
  return (
    <div role="search" onKeyDown={onKeyDown}>
      <Input
        ref={field}
        type="search"
        aria-label="Filter operations"
        aria-keyshortcuts="/"
        placeholder="Filter operations ( / )"
        defaultValue={words}
        maxLength={100}
        onChange={(event) => change("q", event.target.value)}
        onKeyDown={(event) =>
          event.key === "Enter" &&
          words !== "" &&
          links()
            .find(({ hash }) => hash !== "")
            ?.click()
        }
        className="min-h-11 w-full min-w-0 rounded-lg border border-strong-line bg-raised px-3 text-base sm:text-sm"
      />
      <p role="status" className={found.length > 0 ? "sr-only" : "py-4 text-sm text-soft"}>
        {found.length > 0 ? `${found.length} of ${operations.length} operations` : `No operations match “${words}”.`}
      </p>
      <div ref={list}>{children(found, words)}</div>
    </div>
  );
}

const EDITABLE = "input, textarea, select, [contenteditable]";

/** Calls `focus` when the slash is pressed outside of a field. */
function useSlashKey(focus: () => void): void {
  const latest = useRef(focus);
  useEffect(() => {
    latest.current = focus;
  });
  useEffect(() => {
    const onKeyDown = (event: globalThis.KeyboardEvent) => {
      const isTyping = event.target instanceof Element && event.target.closest(EDITABLE);
      if (event.key !== "/" || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      latest.current();
    };
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, []);
}

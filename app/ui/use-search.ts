"use client";

import { usePathname, useSearchParams } from "next/navigation";

type History = "replaceState" | "pushState";

/** Reads and changes a page's filters in the URL, so that they can be shared and survive going back. */
export function useSearch() {
  const path = usePathname();
  const search = useSearchParams();
  /** Sets parameters, and removes those whose value is empty. */
  const changeAll = (changes: Record<string, string>, method: History = "replaceState") => {
    // `search` does not contain changes made since the last render.
    const next = new URLSearchParams(window.location.search);
    for (const [name, value] of Object.entries(changes)) {
      if (value) next.set(name, value);
      else next.delete(name);
    }
    window.history[method](null, "", next.size > 0 ? `${path}?${next}` : path);
  };
  const change = (name: string, value: string) => changeAll({ [name]: value });
  return { read: (name: string) => search.get(name), change, changeAll };
}

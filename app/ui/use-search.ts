"use client";

import { usePathname, useSearchParams } from "next/navigation";

/** Reads and changes a page's filters in the URL, so that they can be shared and survive going back. */
export function useSearch() {
  const path = usePathname();
  const search = useSearchParams();
  const change = (name: string, value: string) => {
    // `search` does not contain changes made since the last render.
    const next = new URLSearchParams(window.location.search);
    if (value) next.set(name, value);
    else next.delete(name);
    window.history.replaceState(null, "", next.size > 0 ? `${path}?${next}` : path);
  };
  return { read: (name: string) => search.get(name), change };
}

"use client";

import { usePathname, useSearchParams } from "next/navigation";

/** The filters of a page, kept in its address: so they can be shared, and are there again on the way back. */
export function useSearch() {
  const path = usePathname();
  const search = useSearchParams();
  const change = (name: string, value: string) => {
    // Not `search`, which still lacks what was changed a moment ago.
    const next = new URLSearchParams(window.location.search);
    if (value) next.set(name, value);
    else next.delete(name);
    window.history.replaceState(null, "", next.size > 0 ? `${path}?${next}` : path);
  };
  return { read: (name: string) => search.get(name), change };
}

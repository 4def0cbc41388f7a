"use client";

import { usePathname, useSearchParams } from "next/navigation";
import { useState } from "react";
import { flushSync } from "react-dom";
import { toReadable } from "./search";

type History = "replaceState" | "pushState";

/**
 * Reads and changes a page's filters in the URL, so that they can be shared and survive going back. A change is read
 * at once, before the router has followed: a box that is ticked must not look unticked in between.
 */
export function useSearch() {
  const path = usePathname();
  const search = useSearchParams();
  const [ahead, setAhead] = useState<{ routed: URLSearchParams; changed: URLSearchParams } | null>(null);
  const shown = ahead?.routed === search ? ahead.changed : search;
  /** Sets parameters, and removes those whose value is empty. */
  const changeAll = (changes: Record<string, string>, method: History = "replaceState") => {
    // `search` does not contain changes made since the last render.
    const next = new URLSearchParams(window.location.search);
    for (const [name, value] of Object.entries(changes)) {
      if (value) next.set(name, value);
      else next.delete(name);
    }
    // The router follows changes of the URL from its first effect on, and an event can come before it. A synchronous
    // update makes React run all effects first.
    flushSync(() => setAhead({ routed: search, changed: next }));
    window.history[method](null, "", next.size > 0 ? `${path}?${next}` : path);
  };
  const change = (name: string, value: string) => changeAll({ [name]: value });
  return { read: (name: string) => toReadable(shown.get(name)), change, changeAll };
}

"use client";

import { ChevronLeft, ChevronRight } from "lucide-react";
import { useState } from "react";
import { Button } from "./button";
import { useSearch } from "./use-search";

/**
 * Keeps the cursors of a list's pages, so that it can go back. It starts over with another `scope`, because a cursor
 * belongs to the filters it was made with.
 */
export function useCursor(scope = "") {
  const [history, setHistory] = useState({ scope, trail: [] as string[] });
  const trail = history.scope === scope ? history.trail : [];
  const setTrail = (next: string[]) => setHistory({ scope, trail: next });
  return {
    cursor: trail.at(-1),
    isFirst: trail.length === 0,
    older: (cursor: string) => setTrail([...trail, cursor]),
    newer: () => setTrail(trail.slice(0, -1)),
    reset: () => setTrail([]),
  };
}

interface Props {
  pager: Pick<ReturnType<typeof useCursor>, "isFirst" | "older" | "newer">;
  next: string | null | undefined;
}

/** Renders buttons for the newer and older pages; nothing for a list of one page. */
export const Pager = ({ pager, next }: Props) =>
  (next || !pager.isFirst) && (
    <nav aria-label="Pages" className="flex justify-end gap-2 border-t border-line px-5 py-3">
      <Button disabled={pager.isFirst} onClick={pager.newer}>
        <ChevronLeft size={16} aria-hidden />
        Newer
      </Button>
      <Button disabled={!next} onClick={() => next && pager.older(next)}>
        Older
        <ChevronRight size={16} aria-hidden />
      </Button>
    </nav>
  );

const STORAGE_KEY = "newer-pages";
const MAX_PAGES = 200;

/**
 * Keeps the page of a list in the URL, as `cursor`, so that going back returns to it. Has the members of `useCursor`,
 * and `filter`, which changes a filter and returns to the first page: a cursor belongs to the filters it was made with.
 */
export function usePageInUrl() {
  const { read, changeAll } = useSearch();
  const cursor = read("cursor") || undefined;
  const open = (next: string) => changeAll({ cursor: next }, "pushState");
  return {
    cursor,
    isFirst: cursor === undefined,
    older: (next: string) => {
      rememberNewer(next, cursor ?? "");
      open(next);
    },
    newer: () => open(recallNewer(cursor ?? "")),
    reset: () => open(""),
    filter: (name: string, value: string) => changeAll({ [name]: value, cursor: "" }),
  };
}

type Page = [cursor: string, newer: string];

function readPages(): Page[] {
  try {
    return JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? "[]") as Page[];
  } catch {
    // Storage may be disabled.
    return [];
  }
}

/** Remembers the page before a page, because a cursor only leads forward. */
function rememberNewer(cursor: string, newer: string): void {
  const others = readPages().filter(([one]) => one !== cursor);
  try {
    sessionStorage.setItem(STORAGE_KEY, JSON.stringify([...others, [cursor, newer]].slice(-MAX_PAGES)));
  } catch {
    // Without storage, "Newer" leads to the first page.
  }
}

/** Returns the cursor of the page before; that of the first page for a link that came from elsewhere. */
const recallNewer = (cursor: string): string => readPages().find(([one]) => one === cursor)?.[1] ?? "";

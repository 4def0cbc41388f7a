"use client";

import { ChevronLeft, ChevronRight } from "lucide-react";
import { useState } from "react";
import { Button } from "./button";

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
    older: (cursor: string) => {
      // While a page loads, the list still has the cursor that leads to it.
      if (cursor !== trail.at(-1)) setTrail([...trail, cursor]);
    },
    newer: () => setTrail(trail.slice(0, -1)),
    reset: () => setTrail([]),
  };
}

interface Props {
  pager: Pick<ReturnType<typeof useCursor>, "isFirst" | "older" | "newer">;
  next: string | null | undefined;
  /** The labels of the buttons, for lists with another order. */
  words?: readonly [string, string];
}

/** Renders buttons for the newer and older pages; nothing for a list of one page. */
export const Pager = ({ pager, next, words: [newer, older] = ["Newer", "Older"] }: Props) =>
  (next || !pager.isFirst) && (
    <nav aria-label="Pages" className="flex justify-end gap-2 border-t border-line px-5 py-3">
      <Button disabled={pager.isFirst} onClick={pager.newer}>
        <ChevronLeft size={16} aria-hidden />
        {newer}
      </Button>
      <Button disabled={!next} onClick={() => next && pager.older(next)}>
        {older}
        <ChevronRight size={16} aria-hidden />
      </Button>
    </nav>
  );

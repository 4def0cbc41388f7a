"use client";

import { ChevronLeft, ChevronRight } from "lucide-react";
import { useState } from "react";
import { Button } from "./button";

/**
 * The way through a listing by cursors: where it is now, and back to where it was. It begins anew with another
 * `scope`, because a cursor belongs to the filters it was made with.
 */
export function useCursor(scope = "") {
  const [walked, setWalked] = useState({ scope, trail: [] as string[] });
  const trail = walked.scope === scope ? walked.trail : [];
  const walk = (next: string[]) => setWalked({ scope, trail: next });
  return {
    cursor: trail.at(-1),
    isFirst: trail.length === 0,
    older: (cursor: string) => walk([...trail, cursor]),
    newer: () => walk(trail.slice(0, -1)),
    reset: () => walk([]),
  };
}

interface Props {
  at: ReturnType<typeof useCursor>;
  next: string | null | undefined;
}

/** From page to page of a listing that has more than one. */
export const Pager = ({ at, next }: Props) =>
  (next || !at.isFirst) && (
    <nav aria-label="Pages" className="flex justify-end gap-2 border-t border-line px-5 py-3">
      <Button disabled={at.isFirst} onClick={at.newer}>
        <ChevronLeft size={16} aria-hidden />
        Newer
      </Button>
      <Button disabled={!next} onClick={() => next && at.older(next)}>
        Older
        <ChevronRight size={16} aria-hidden />
      </Button>
    </nav>
  );

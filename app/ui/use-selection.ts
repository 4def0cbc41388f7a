"use client";

import { useState } from "react";

/** The rows of a list that somebody selected. */
export interface Selection {
  /** The selected ids, in the order of the list. */
  ids: string[];
  /** How much of the list is selected. */
  share: "none" | "some" | "all";
  isSelected: (id: string) => boolean;
  /** Selects or unselects a row; with `isRange`, every row between it and the one before. */
  toggle: (id: string, isRange?: boolean) => void;
  /** Selects every row, or none if all are selected. */
  toggleAll: () => void;
  clear: () => void;
}

/** Keeps which of the `listed` ids are selected. An id that leaves the list, for example to another page, is unselected. */
export function useSelection(listed: readonly string[]): Selection {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [anchor, setAnchor] = useState<string | null>(null);
  const ids = listed.filter((id) => selected.has(id));
  const share = ids.length === 0 ? "none" : ids.length < listed.length ? "some" : "all";
  const toggle = (id: string, isRange = false) => {
    setSelected(toggleSelection(listed, new Set(ids), id, isRange ? anchor : null));
    setAnchor(id);
  };
  return {
    ids,
    share,
    isSelected: (id) => selected.has(id),
    toggle,
    toggleAll: () => setSelected(new Set(share === "all" ? [] : listed)),
    clear: () => setSelected(new Set()),
  };
}

/**
 * Returns the selection after a click on `id`, which it adds or removes. With an `anchor`, the id clicked before, every
 * listed id between the two becomes what `id` becomes.
 */
export function toggleSelection(
  listed: readonly string[],
  selected: ReadonlySet<string>,
  id: string,
  anchor: string | null = null,
): Set<string> {
  const isAdding = !selected.has(id);
  const from = anchor === null ? -1 : listed.indexOf(anchor);
  const to = listed.indexOf(id);
  const clicked = from < 0 ? [id] : listed.slice(Math.min(from, to), Math.max(from, to) + 1);
  const next = new Set(selected);
  for (const one of clicked) {
    if (isAdding) next.add(one);
    else next.delete(one);
  }
  return next;
}

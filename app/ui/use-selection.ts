"use client";

import { useState } from "react";
import { toggleSelection } from "./toggle-selection";

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

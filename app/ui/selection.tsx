"use client";

import { type ReactNode, useEffect, useRef, useState } from "react";
import { announce } from "./announce";
import { Button } from "./button";
import { Input } from "./controls";

interface RowProps {
  selection: Selection;
  id: string;
  /** Names the row, for screen readers. */
  label: string;
}

/** Renders the checkbox of a row; with Shift, a click selects every row since the last one. */
export const SelectRow = ({ selection, id, label }: RowProps) => (
  <label className="grid size-9 cursor-pointer place-items-center pointer-coarse:size-11">
    <Input
      type="checkbox"
      aria-label={`Select ${label}`}
      className="size-4 accent-accent"
      checked={selection.isSelected(id)}
      // A change from before hydration has no event.
      onChange={({ nativeEvent }) => selection.toggle(id, (nativeEvent as MouseEvent | undefined)?.shiftKey)}
    />
  </label>
);

interface BarProps {
  selection: Selection;
  /** The noun for the entries, in the plural: "deliveries". */
  noun: string;
  /** The actions on the selected rows. */
  children: ReactNode;
}

/**
 * Renders the bar above a list that selects every row, and offers actions once some are selected. Its height never
 * changes, so that no row moves, and it stays in view while the list scrolls.
 */
export function SelectionBar({ selection, noun, children }: BarProps) {
  const { share, toggleAll, clear } = selection;
  const count = selection.ids.length;
  const box = useRef<HTMLInputElement>(null);
  const announced = useRef(0);
  useEffect(() => {
    if (count !== announced.current) announce(`${count} selected`);
    announced.current = count;
  }, [count]);
  useEffect(() => {
    box.current!.indeterminate = share === "some";
  }, [share]);
  const unselect = () => {
    clear();
    box.current!.focus();
  };
  return (
    <div
      role="group"
      aria-label={`Selected ${noun}`}
      className="sticky top-13 z-10 flex min-h-14 items-center gap-2 border-b border-line bg-raised px-5 lg:top-0 pointer-coarse:top-15 lg:pointer-coarse:top-0"
    >
      <label className="-ml-2.5 flex min-h-9 cursor-pointer items-center text-sm text-soft pointer-coarse:min-h-11">
        <span className="grid size-9 place-items-center">
          <Input
            ref={box}
            type="checkbox"
            aria-label={`Select all ${noun}`}
            className="size-4 accent-accent"
            checked={share === "all"}
            onChange={toggleAll}
          />
        </span>
        <span aria-hidden className="tabular-nums">
          {count === 0 ? "Select all" : `${count} selected`}
        </span>
      </label>
      {count > 0 && (
        <div className="ml-auto flex items-center gap-2">
          {children}
          <Button kind="ghost" onClick={unselect}>
            Clear
          </Button>
        </div>
      )}
    </div>
  );
}

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

/** Manages which of the `listed` ids are selected. An id that leaves the list, for example to another page, is unselected. */
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

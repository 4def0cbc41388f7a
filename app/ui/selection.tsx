"use client";

import { type ReactNode, useEffect, useRef } from "react";
import { announce } from "./announce";
import { Button } from "./button";
import { Input } from "./controls";
import type { Selection } from "./use-selection";

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
  /** What the list has, in the plural: "deliveries". */
  noun: string;
  /** The actions on the selected rows. */
  children: ReactNode;
}

/**
 * Renders the bar above a list that selects every row, and offers actions once some are selected. It is as high before,
 * so that no row moves, and stays in view while the list scrolls.
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

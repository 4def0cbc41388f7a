"use client";

import dynamic from "next/dynamic";
import { type KeyboardEvent, useId, useState } from "react";
import { Select } from "../../../ui/controls";
import { partNotLoaded } from "../../../ui/part-not-loaded";
import { useHydrated } from "../../../ui/use-hydrated";
import { ModelPicture } from "../../models/model-picture";
import type { ModelSummary } from "../../models/types";

// Loaded on demand: until then the select is a complete control.
const importPanel = () => import("./picker-panel");
// A failed load is retried, and reported, when the list opens.
const preloadPanel = () => void importPanel().catch(() => undefined);
const PickerPanel = dynamic(() => importPanel().then((module) => module.PickerPanel, partNotLoaded), { ssr: false });

interface Props {
  models: ModelSummary[];
  /** The id of the chosen model. */
  value: string;
  onChoose: (id: string) => void;
}

const OPENING_KEYS = ["Enter", " ", "ArrowDown", "ArrowUp", "F4"];

/**
 * Renders a select of models that opens a list with pictures, prices and a search. Before hydration, and to what changes a select
 * directly, such as a screen reader, it is a select like any other.
 */
export function ModelPicker({ models, value, onChoose }: Props) {
  const id = useId();
  const isHydrated = useHydrated();
  // The text that was typed to open the list, with which the search begins.
  const [typed, setTyped] = useState<string | null>(null);
  const chosen = models.find((model) => model.id === value);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey) return;
    const isLetter = /^[\p{L}\p{N}]$/u.test(event.key);
    if (!isLetter && !OPENING_KEYS.includes(event.key)) return;
    event.preventDefault();
    setTyped(isLetter ? event.key : "");
  };
  return (
    <div className="flex min-w-0 items-center gap-2 max-sm:w-full">
      <label htmlFor={id} className="text-sm text-soft">
        Model
      </label>
      <div className="relative flex min-w-0 items-center max-sm:flex-1" onPointerEnter={preloadPanel}>
        {chosen && (
          <span className="pointer-events-none absolute left-1.5 size-8 overflow-hidden rounded-md border border-line">
            <ModelPicture key={chosen.id} model={chosen} iconSize={16} />
          </span>
        )}
        <Select
          id={id}
          value={value}
          onChange={({ target }) => onChoose(target.value)}
          onKeyDown={onKeyDown}
          onFocus={preloadPanel}
          className="min-h-11 w-full min-w-0 rounded-lg border border-strong-line bg-raised pr-2 pl-12 text-base text-ink sm:w-72 sm:text-sm"
        >
          {models.map((one) => (
            <option key={one.id} value={one.id}>
              {one.name}
            </option>
          ))}
        </Select>
        {/* A pointer opens the list instead of the select, which keeps its keyboard and its name. */}
        {isHydrated && (
          <button
            type="button"
            aria-hidden
            tabIndex={-1}
            className="absolute inset-0 cursor-pointer"
            onClick={() => {
              document.getElementById(id)?.focus();
              setTyped("");
            }}
          />
        )}
      </div>
      {typed !== null && (
        <PickerPanel
          title="Choose a model"
          models={models}
          chosenId={value}
          initialText={typed}
          onChoose={onChoose}
          onClose={() => setTyped(null)}
        />
      )}
    </div>
  );
}

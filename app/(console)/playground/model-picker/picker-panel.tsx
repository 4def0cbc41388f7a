"use client";

import { Check, Search } from "lucide-react";
import { Dialog } from "radix-ui";
import { useEffect, useId, useRef, useState } from "react";
import { Badge } from "../../../ui/badge";
import { Input } from "../../../ui/controls";
import { ShownPricesProvider } from "../../../ui/shown-prices";
import { optionId, useActiveOption } from "../../../ui/use-active-option";
import { filterModels } from "../../models/filter-models";
import { ModelPicture } from "../../models/model-picture";
import { TypicalRun } from "../../models/typical-run";
import type { ModelSummary } from "../../models/types";

interface Props {
  title: string;
  models: ModelSummary[];
  /** Absent if none is chosen yet. */
  chosenId?: string;
  /** What the search begins with. */
  initialText?: string;
  onChoose: (id: string) => void;
  onClose: () => void;
}

/** Renders the open list of models: a sheet on a phone, a dialog elsewhere. */
export function PickerPanel({ title, onClose, onChoose, ...list }: Props) {
  const [before] = useState(() => document.activeElement);
  const choose = (id: string) => {
    onClose();
    onChoose(id);
  };
  return (
    <Dialog.Root open onOpenChange={onClose}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-40 bg-[#000000]/50" />
        <Dialog.Content
          aria-describedby={undefined}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            if (before instanceof HTMLElement) before.focus();
          }}
          className="fixed inset-x-0 bottom-0 z-50 mx-auto flex h-[85dvh] max-w-2xl flex-col overflow-hidden rounded-t-2xl border border-line bg-raised shadow-raised sm:inset-x-4 sm:top-[10dvh] sm:bottom-auto sm:h-[min(40rem,80dvh)] sm:rounded-2xl"
        >
          <Dialog.Title className="sr-only">{title}</Dialog.Title>
          <ModelList {...list} onChoose={choose} />
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function ModelList({ models, chosenId, initialText = "", onChoose }: Omit<Props, "title" | "onClose">) {
  const [text, setText] = useState(initialText);
  const found = filterModels(models, { words: text, makes: "", maxCost: "", sort: "" });
  const listId = useId();
  const { active, setActiveId, onKeyDown } = useActiveOption(found, ({ id }) => onChoose(id), chosenId);
  return (
    <>
      <div className="flex items-center gap-3 border-b border-line px-4">
        <Search size={18} aria-hidden className="shrink-0 text-soft" />
        <Input
          role="combobox"
          aria-label="Search models"
          aria-expanded
          aria-autocomplete="list"
          aria-controls={listId}
          aria-activedescendant={active && optionId(listId, active)}
          placeholder="Search models…"
          autoComplete="off"
          spellCheck={false}
          maxLength={200}
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            setActiveId(null);
          }}
          onKeyDown={onKeyDown}
          className="min-h-12 w-full min-w-0 bg-transparent text-base outline-none"
        />
      </div>
      <p role="status" className="sr-only">
        {found.length} of {models.length} models
      </p>
      {found.length === 0 && <p className="p-6 text-center text-sm text-soft">No models found</p>}
      <div id={listId} role="listbox" aria-label="Models" className="overflow-y-auto p-2">
        {found.map((model) => (
          <Option
            key={model.id}
            id={optionId(listId, model)}
            model={model}
            isChosen={model.id === chosenId}
            isActive={model === active}
            onActive={() => setActiveId(model.id)}
            onChoose={() => onChoose(model.id)}
          />
        ))}
      </div>
    </>
  );
}

interface OptionProps {
  id: string;
  model: ModelSummary;
  isChosen: boolean;
  isActive: boolean;
  onActive: () => void;
  onChoose: () => void;
}

function Option({ id, model, isChosen, isActive, onActive, onChoose }: OptionProps) {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isActive) element.current?.scrollIntoView({ block: "nearest" });
  }, [isActive]);
  return (
    <div
      ref={element}
      id={id}
      role="option"
      aria-selected={isActive}
      // Not `onPointerEnter`, because the list may move below a resting pointer.
      onPointerMove={onActive}
      onClick={onChoose}
      className="flex cursor-pointer items-center gap-3 rounded-lg p-2 aria-selected:bg-wash aria-selected:outline-1 aria-selected:outline-transparent"
    >
      <span className="h-14 w-[4.5rem] shrink-0 overflow-hidden rounded-md border border-line">
        <ModelPicture model={model} iconSize={20} />
      </span>
      <span className="grid min-w-0 flex-1 leading-5">
        <span className="flex min-w-0 items-center gap-2">
          <span className="truncate text-sm font-medium">{model.name}</span>
          {isChosen && (
            <span className="inline-flex shrink-0 items-center gap-1 text-xs text-accent">
              <Check size={14} aria-hidden />
              Chosen
            </span>
          )}
          {!model.available && <Badge tone="warning">Unavailable</Badge>}
        </span>
        {model.description && <span className="truncate text-xs text-soft">{model.description}</span>}
        <span className="truncate text-xs text-soft">
          {/* Net, as the price on the button that runs it. */}
          <ShownPricesProvider vat={null} addsTax={false}>
            <TypicalRun model={model} />
          </ShownPricesProvider>
        </span>
      </span>
    </div>
  );
}

"use client";

import { Check } from "lucide-react";
import { Dialog } from "radix-ui";
import { memo, useDeferredValue, useId, useMemo, useState } from "react";
import { Badge } from "../../../ui/badge";
import { Combobox, ComboboxOption } from "../../../ui/combobox";
import { Modal } from "../../../ui/modal";
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
  /** The initial text of the search. */
  initialText?: string;
  onChoose: (id: string) => void;
  onClose: () => void;
}

/** Renders the open list of models: a sheet on a phone, a dialog elsewhere. */
export function PickerPanel({ title, onClose, onChoose, ...list }: Props) {
  const choose = (id: string) => {
    onClose();
    onChoose(id);
  };
  return (
    <Modal
      onClose={onClose}
      className="inset-x-0 bottom-0 mx-auto h-[85dvh] max-w-2xl overflow-hidden rounded-t-2xl border shadow-raised sm:inset-x-4 sm:top-[10dvh] sm:bottom-auto sm:h-[min(40rem,80dvh)] sm:rounded-2xl"
    >
      <Dialog.Title className="sr-only">{title}</Dialog.Title>
      <ModelList {...list} onChoose={choose} />
    </Modal>
  );
}

/** About as many options as the panel shows before it is scrolled. */
const FIRST_OPTIONS = 12;

function ModelList({ models, chosenId, initialText = "", onChoose }: Omit<Props, "title" | "onClose">) {
  const [text, setText] = useState(initialText);
  const found = useMemo(() => filterModels(models, { words: text, makes: "", maxCost: "", sort: "" }), [models, text]);
  // Deferred, so that rendering hundreds of options delays neither opening nor typing.
  const shown = useDeferredValue(found, found.slice(0, FIRST_OPTIONS));
  const listId = useId();
  const { active, setActiveId, onKeyDown } = useActiveOption(found, ({ id }) => onChoose(id), chosenId);
  return (
    <Combobox
      label="Search models"
      placeholder="Search models…"
      listId={listId}
      activeId={active && optionId(listId, active)}
      value={text}
      onChange={(next) => {
        setText(next);
        setActiveId(null);
      }}
      onKeyDown={onKeyDown}
      listLabel="Models"
      status={`${found.length} of ${models.length} models`}
      empty={found.length === 0 ? "No models found" : undefined}
    >
      {/* Net, as the price on the button that runs it. */}
      <ShownPricesProvider vat={null} addsTax={false}>
        {shown.map((model) => (
          <ModelOption
            key={model.id}
            id={optionId(listId, model)}
            model={model}
            isActive={model === active}
            isChosen={model.id === chosenId}
            onActive={setActiveId}
            onChoose={onChoose}
          />
        ))}
      </ShownPricesProvider>
    </Combobox>
  );
}

interface OptionProps {
  id: string;
  model: ModelSummary;
  isActive: boolean;
  isChosen: boolean;
  onActive: (id: string) => void;
  onChoose: (id: string) => void;
}

const ModelOption = memo(function ModelOption({ id, model, isActive, isChosen, onActive, onChoose }: OptionProps) {
  return (
    <ComboboxOption
      id={id}
      isActive={isActive}
      onActive={() => onActive(model.id)}
      onChoose={() => onChoose(model.id)}
      // The browser does not lay out options that are out of view.
      className="p-2 [contain-intrinsic-height:4.5rem] [content-visibility:auto]"
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
          <TypicalRun model={model} />
        </span>
      </span>
    </ComboboxOption>
  );
});

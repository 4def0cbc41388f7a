"use client";

import { Check } from "lucide-react";
import { Dialog } from "radix-ui";
import { useId, useState } from "react";
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
  /** What the search begins with. */
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

function ModelList({ models, chosenId, initialText = "", onChoose }: Omit<Props, "title" | "onClose">) {
  const [text, setText] = useState(initialText);
  const found = filterModels(models, { words: text, makes: "", maxCost: "", sort: "" });
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
      {found.map((model) => (
        <ComboboxOption
          key={model.id}
          id={optionId(listId, model)}
          isActive={model === active}
          onActive={() => setActiveId(model.id)}
          onChoose={() => onChoose(model.id)}
          className="p-2"
        >
          <ModelOption model={model} isChosen={model.id === chosenId} />
        </ComboboxOption>
      ))}
    </Combobox>
  );
}

const ModelOption = ({ model, isChosen }: { model: ModelSummary; isChosen: boolean }) => (
  <>
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
  </>
);

"use client";

import { Dialog } from "radix-ui";
import { useId, useState } from "react";
import { Combobox, ComboboxOption } from "../../ui/combobox";
import { Modal } from "../../ui/modal";
import { optionId, useActiveOption } from "../../ui/use-active-option";
import { openPanel } from "../open-panel";
import { useOpenPage } from "../use-open-page";
import type { PaletteGroup, PaletteItem } from "./items";
import { useGroups } from "./use-groups";

/** Renders the command palette: a field that finds pages, actions, models, keys and generations, and opens one. */
export const Palette = () => (
  <Modal
    onClose={() => openPanel(null)}
    className="inset-x-2 top-2 mx-auto max-h-[min(32rem,80dvh)] max-w-xl overflow-hidden rounded-2xl border shadow-raised sm:top-[12dvh]"
  >
    <Dialog.Title className="sr-only">Command palette</Dialog.Title>
    <Search />
  </Modal>
);

function Search() {
  const [text, setText] = useState("");
  const groups = useGroups(text);
  const items = groups.flatMap(({ items }) => items);
  const listId = useId();
  const run = useRun();
  const { active, setActiveId, onKeyDown } = useActiveOption(items, run);
  return (
    <Combobox
      label="Search pages, models, keys and generations"
      placeholder="Search or jump to…"
      listId={listId}
      activeId={active && optionId(listId, active)}
      value={text}
      onChange={(next) => {
        setText(next);
        setActiveId(null);
      }}
      onKeyDown={onKeyDown}
      listLabel="Results"
      status={items.length === 1 ? "1 result" : `${items.length} results`}
      empty={items.length === 0 ? "No results" : undefined}
    >
      {groups.map((group) => (
        <Group key={group.label} group={group} listId={listId} active={active} onActive={setActiveId} onRun={run} />
      ))}
    </Combobox>
  );
}

/** Returns the function that closes the palette and runs the action of an item. */
function useRun() {
  const openPage = useOpenPage();
  return ({ action }: PaletteItem) => {
    openPanel(null);
    if (typeof action === "string") openPage(action);
    else action();
  };
}

interface GroupProps {
  group: PaletteGroup;
  listId: string;
  active: PaletteItem | undefined;
  onActive: (id: string) => void;
  onRun: (item: PaletteItem) => void;
}

const Group = ({ group: { label, items }, listId, active, onActive, onRun }: GroupProps) => (
  <div role="group" aria-label={label}>
    <div aria-hidden className="px-3 pt-3 pb-1 text-xs font-medium text-soft">
      {label}
    </div>
    {items.map((item) => (
      <ComboboxOption
        key={item.id}
        id={optionId(listId, item)}
        isActive={item.id === active?.id}
        onActive={() => onActive(item.id)}
        onChoose={() => onRun(item)}
        className="min-h-10 px-3 text-sm aria-selected:text-accent pointer-coarse:min-h-11"
      >
        <item.Icon size={16} aria-hidden className="shrink-0" />
        <span className="truncate">{item.label}</span>
        {item.hint && <span className="ml-auto max-w-1/2 shrink-0 truncate text-xs text-soft">{item.hint}</span>}
      </ComboboxOption>
    ))}
  </div>
);

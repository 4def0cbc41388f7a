"use client";

import { Search } from "lucide-react";
import { useRouter } from "next/navigation";
import { Dialog } from "radix-ui";
import { useEffect, useId, useRef, useState } from "react";
import { Input } from "../../ui/controls";
import { optionId, useActiveOption } from "../../ui/use-active-option";
import { openPanel } from "../open-panel";
import type { PaletteGroup, PaletteItem } from "./items";
import { useGroups } from "./use-groups";

/** Renders the command palette: a field that finds pages, actions, models, keys and generations, and opens one. */
export function Palette() {
  const [before] = useState(() => document.activeElement);
  return (
    <Dialog.Root open onOpenChange={() => openPanel(null)}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-40 bg-[#000000]/50" />
        <Dialog.Content
          aria-describedby={undefined}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            if (before instanceof HTMLElement) before.focus();
          }}
          className="fixed inset-x-2 top-2 z-50 mx-auto flex max-h-[min(32rem,80dvh)] max-w-xl flex-col overflow-hidden rounded-2xl border border-line bg-raised shadow-raised sm:top-[12dvh]"
        >
          <Dialog.Title className="sr-only">Command palette</Dialog.Title>
          <Combobox />
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function Combobox() {
  const [text, setText] = useState("");
  const groups = useGroups(text);
  const items = groups.flatMap(({ items }) => items);
  const listId = useId();
  const run = useRun();
  const { active, setActiveId, onKeyDown } = useActiveOption(items, run);
  return (
    <>
      <div className="flex items-center gap-3 border-b border-line px-4">
        <Search size={18} aria-hidden className="shrink-0 text-soft" />
        <Input
          role="combobox"
          aria-label="Search pages, models, keys and generations"
          aria-expanded
          aria-autocomplete="list"
          aria-controls={listId}
          aria-activedescendant={active && optionId(listId, active)}
          placeholder="Search or jump to…"
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
        {items.length === 1 ? "1 result" : `${items.length} results`}
      </p>
      {items.length === 0 && <p className="p-6 text-center text-sm text-soft">No results</p>}
      <div id={listId} role="listbox" aria-label="Results" className="overflow-y-auto p-2">
        {groups.map((group) => (
          <Group key={group.label} group={group} listId={listId} active={active} onActive={setActiveId} onRun={run} />
        ))}
      </div>
    </>
  );
}

/** Returns the function that closes the palette and runs the action of an item. */
function useRun() {
  const router = useRouter();
  return ({ action }: PaletteItem) => {
    openPanel(null);
    if (typeof action === "string") router.push(action);
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
      <Option
        key={item.id}
        id={optionId(listId, item)}
        item={item}
        isActive={item.id === active?.id}
        onActive={() => onActive(item.id)}
        onRun={() => onRun(item)}
      />
    ))}
  </div>
);

interface OptionProps {
  id: string;
  item: PaletteItem;
  isActive: boolean;
  onActive: () => void;
  onRun: () => void;
}

function Option({ id, item: { label, hint, Icon }, isActive, onActive, onRun }: OptionProps) {
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
      onClick={onRun}
      className="flex min-h-10 cursor-pointer items-center gap-3 rounded-lg px-3 text-sm aria-selected:bg-wash aria-selected:text-accent aria-selected:outline-1 aria-selected:outline-transparent pointer-coarse:min-h-11"
    >
      <Icon size={16} aria-hidden className="shrink-0" />
      <span className="truncate">{label}</span>
      {hint && <span className="ml-auto max-w-1/2 shrink-0 truncate text-xs text-soft">{hint}</span>}
    </div>
  );
}

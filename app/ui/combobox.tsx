"use client";

import { Search } from "lucide-react";
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from "react";
import { Input } from "./controls";

interface Props {
  label: string;
  placeholder: string;
  /** The ids of the list of options, and of its active one. */
  listId: string;
  activeId: string | undefined;
  value: string;
  onChange: (text: string) => void;
  onKeyDown: (event: KeyboardEvent) => void;
  listLabel: string;
  /** Says how many options there are. */
  status: string;
  /** Shown above an empty list; absent while there are options. */
  empty?: string;
  /** The options, optionally in groups. */
  children: ReactNode;
}

/** Renders the field of a combobox and its list of options, which is always open below it. */
export const Combobox = ({
  label,
  placeholder,
  listId,
  activeId,
  value,
  onChange,
  onKeyDown,
  listLabel,
  status,
  empty,
  children,
}: Props) => (
  <>
    <div className="flex items-center gap-3 border-b border-line px-4">
      <Search size={18} aria-hidden className="shrink-0 text-soft" />
      <Input
        role="combobox"
        aria-label={label}
        aria-expanded
        aria-autocomplete="list"
        aria-controls={listId}
        aria-activedescendant={activeId}
        placeholder={placeholder}
        autoComplete="off"
        spellCheck={false}
        maxLength={200}
        value={value}
        onChange={({ target }) => onChange(target.value)}
        onKeyDown={onKeyDown}
        className="min-h-12 w-full min-w-0 bg-transparent text-base outline-none"
      />
    </div>
    <p role="status" className="sr-only">
      {status}
    </p>
    {empty && <p className="p-6 text-center text-sm text-soft">{empty}</p>}
    <div id={listId} role="listbox" aria-label={listLabel} className="overflow-y-auto p-2">
      {children}
    </div>
  </>
);

interface OptionProps {
  id: string;
  isActive: boolean;
  onActive: () => void;
  onChoose: () => void;
  className: string;
  children: ReactNode;
}

/** Renders an option of a combobox, and scrolls it into view when it becomes active. */
export function ComboboxOption({ id, isActive, onActive, onChoose, className, children }: OptionProps) {
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
      className={`flex cursor-pointer items-center gap-3 rounded-lg aria-selected:bg-wash aria-selected:outline-1 aria-selected:outline-transparent ${className}`}
    >
      {children}
    </div>
  );
}

import { type KeyboardEvent, useState } from "react";

/**
 * Manages which option of a combobox's list is active: the arrow keys move it, Enter chooses it. Initially, the
 * option with the id `initial` is active, or else the first one.
 */
export function useActiveOption<Item extends { id: string }>(
  items: Item[],
  onChoose: (item: Item) => void,
  initial: string | null = null,
) {
  const [activeId, setActiveId] = useState(initial);
  const active = items.find(({ id }) => id === activeId) ?? items[0];
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && active) {
      event.preventDefault();
      const next = (items.indexOf(active) + step + items.length) % items.length;
      setActiveId(items[next]!.id);
    }
    // Enter also commits the text of an input method.
    if (event.key === "Enter" && active && !event.nativeEvent.isComposing) {
      event.preventDefault();
      onChoose(active);
    }
  };
  return { active, setActiveId, onKeyDown };
}

/** Returns the id of the element of an option. */
export const optionId = (listId: string, { id }: { id: string }): string => `${listId} ${id}`.replace(/\s/g, "_");

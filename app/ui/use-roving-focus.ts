import { type KeyboardEvent, useRef, useState } from "react";

/**
 * Makes the links or buttons of a list one tab stop, between which the arrow keys, Home and End move: somebody with a
 * keyboard would otherwise have to pass each of them. `initial` is the stop of a list that had no focus yet.
 */
export function useRovingFocus(count: number, initial: number) {
  const list = useRef<HTMLElement>(null);
  const [focused, setFocused] = useState<number | null>(null);
  const stop = Math.max(Math.min(focused ?? initial, count - 1), 0);
  const onKeyDown = (event: KeyboardEvent) => {
    const next = { ArrowLeft: stop - 1, ArrowRight: stop + 1, Home: 0, End: count - 1 }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    list.current?.querySelectorAll<HTMLElement>("a, button")[next]?.focus();
  };
  return {
    onKeyDown,
    /** Attaches to the list. */
    setList: (element: HTMLElement | null) => void (list.current = element),
    /** Returns the tab index of an item. */
    tabIndexOf: (index: number) => (index === stop ? 0 : -1),
    /** Runs when an item gets focus. */
    onFocus: setFocused,
  };
}

"use client";

import { type ChangeEvent, type ChangeEventHandler, useId, useLayoutEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

interface Given<Of extends Control> {
  id?: string;
  onChange?: ChangeEventHandler<Of>;
}

/**
 * Tells a control's own handler what was entered before the page's script had taken the control over: React knows only
 * the value that the page came with, and would set it back. Answers the id that the control must have.
 */
export function usePreHydrationValue<Of extends Control>({ id: given, onChange }: Given<Of>): string {
  const own = useId();
  const id = given ?? own;
  // Read while the page is taken over: React sets a text of several lines back before any effect.
  const [early] = useState(() => readEarly(id));
  const latest = useRef(onChange);
  useLayoutEffect(() => {
    latest.current = onChange;
  });
  useLayoutEffect(() => {
    const control = find(id);
    if (early === null || !control) return;
    if (control instanceof HTMLTextAreaElement && !isChanged(control)) control.value = early;
    if (isChanged(control)) tell(control, (event) => latest.current?.(event as ChangeEvent<Of>));
  }, [id, early]);
  return id;
}

function find(id: string): Control | null {
  const found = document.getElementById(id);
  return found?.matches("input, textarea, select") ? (found as Control) : null;
}

/** What it holds, if it came with the page; null for one that the script itself makes. */
const readEarly = (id: string): string | null => (typeof document === "undefined" ? null : (find(id)?.value ?? null));

/** Whether it holds something else than the page came with. */
function isChanged(control: Control): boolean {
  if (control instanceof HTMLSelectElement) {
    const first = [...control.options].findIndex(({ defaultSelected }) => defaultSelected);
    return control.selectedIndex !== Math.max(first, 0);
  }
  const isTicked = control instanceof HTMLInputElement && ["checkbox", "radio"].includes(control.type);
  return isTicked ? control.checked !== control.defaultChecked : control.value !== control.defaultValue;
}

/** Each control by itself, as if it were entered now: so that a handler sees what the one before it has changed. */
function tell(control: Control, handler: (event: { target: Control }) => void): void {
  const { value } = control;
  const checked = control instanceof HTMLInputElement && control.checked;
  queueMicrotask(() => {
    if (control.value !== value) control.value = value;
    if (control instanceof HTMLInputElement) control.checked = checked;
    flushSync(() => handler({ target: control }));
  });
}

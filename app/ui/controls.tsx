"use client";

import {
  type ChangeEvent,
  type ChangeEventHandler,
  type ComponentProps,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { flushSync } from "react-dom";

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

interface ControlProps<Element extends Control> {
  id?: string;
  onChange?: ChangeEventHandler<Element>;
}

/**
 * Passes what was entered before hydration to the control's own handler; otherwise React would reset it to the
 * server-rendered value. Returns the id that the control must have.
 */
function usePreHydrationValue<Element extends Control>({ id: givenId, onChange }: ControlProps<Element>): string {
  const ownId = useId();
  const id = givenId ?? ownId;
  // Read during hydration, because React resets a textarea before any effect runs.
  const [earlyValue] = useState(() => readEarlyValue(id));
  const latest = useRef(onChange);
  useLayoutEffect(() => {
    latest.current = onChange;
  });
  useLayoutEffect(() => {
    const control = find(id);
    if (earlyValue === null || !control) return;
    if (control instanceof HTMLTextAreaElement && !isChanged(control)) control.value = earlyValue;
    if (!isChanged(control)) return;
    replayChange(control, (event) => latest.current?.(event as ChangeEvent<Element>));
  }, [id, earlyValue]);
  return id;
}

function find(id: string): Control | null {
  const found = document.getElementById(id);
  return found?.matches("input, textarea, select") ? (found as Control) : null;
}

/** Returns the value of a server-rendered control; null for one that the script creates. */
const readEarlyValue = (id: string): string | null =>
  typeof document === "undefined" ? null : (find(id)?.value ?? null);

/** Returns whether the control differs from the server-rendered value. */
function isChanged(control: Control): boolean {
  if (control instanceof HTMLSelectElement) {
    const first = [...control.options].findIndex(({ defaultSelected }) => defaultSelected);
    return control.selectedIndex !== Math.max(first, 0);
  }
  const isCheckable = control instanceof HTMLInputElement && ["checkbox", "radio"].includes(control.type);
  return isCheckable ? control.checked !== control.defaultChecked : control.value !== control.defaultValue;
}

/** Calls the handler in its own flush, so that it sees the state set by the handler before it. */
function replayChange(control: Control, handler: (event: { target: Control }) => void): void {
  const { value } = control;
  const checked = control instanceof HTMLInputElement && control.checked;
  queueMicrotask(() => {
    if (control.value !== value) control.value = value;
    if (control instanceof HTMLInputElement) control.checked = checked;
    flushSync(() => handler({ target: control }));
  });
}

/** Renders an `<input>` that keeps what was entered before hydration. */
export const Input = (props: ComponentProps<"input">) => <input {...props} id={usePreHydrationValue(props)} />;

/** Renders a `<textarea>` that keeps what was entered before hydration. */
export const TextArea = (props: ComponentProps<"textarea">) => <textarea {...props} id={usePreHydrationValue(props)} />;

/** Renders a `<select>` that keeps what was chosen before hydration. */
export const Select = (props: ComponentProps<"select">) => <select {...props} id={usePreHydrationValue(props)} />;

"use client";

import { useSyncExternalStore } from "react";

/** Returns a value that components anywhere on a page share. The server renders the initial one. */
export function createStore<Value>(initial: Value) {
  let value = initial;
  const listeners = new Set<() => void>();
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  };
  const readValue = () => value;
  const setValue = (next: Value) => {
    value = next;
    for (const listener of listeners) listener();
  };
  const useValue = () => useSyncExternalStore(subscribe, readValue, () => initial);
  return { readValue, setValue, useValue };
}

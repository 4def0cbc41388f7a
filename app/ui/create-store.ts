"use client";

import { useSyncExternalStore } from "react";

/** Returns a value of this page that components outside of one tree share. The server renders the initial one. */
export function createStore<Value>(initial: Value) {
  let value = initial;
  const listeners = new Set<() => void>();
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  };
  const readValue = () => value;
  return {
    readValue,
    setValue(next: Value): void {
      value = next;
      for (const listener of listeners) listener();
    },
    useValue: (): Value => useSyncExternalStore(subscribe, readValue, () => initial),
  };
}

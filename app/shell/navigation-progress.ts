"use client";

import { useSyncExternalStore } from "react";

const PATIENCE_MS = 150;

let late: string | null = null;
let timer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();

function tell(path: string | null): void {
  late = path;
  for (const listener of listeners) listener();
}

/** Somebody goes to another address, which may keep them waiting. */
export function startNavigation(url: string): void {
  endNavigation();
  timer = setTimeout(() => tell(new URL(url, location.href).pathname), PATIENCE_MS);
}

export function endNavigation(): void {
  clearTimeout(timer);
  if (late !== null) tell(null);
}

/** The path that is waited for, once that is felt; else null. */
export const usePendingPath = (): string | null =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    () => late,
    () => null,
  );

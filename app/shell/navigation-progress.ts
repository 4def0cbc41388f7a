"use client";

import { useSyncExternalStore } from "react";

const SKELETON_DELAY_MS = 150;

let pendingPath: string | null = null;
let timer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();

function setPendingPath(path: string | null): void {
  pendingPath = path;
  for (const listener of listeners) listener();
}

/** Shows the page skeleton unless the navigation to `url` ends within 150 ms. */
export function startNavigation(url: string): void {
  endNavigation();
  timer = setTimeout(() => setPendingPath(new URL(url, location.href).pathname), SKELETON_DELAY_MS);
}

export function endNavigation(): void {
  clearTimeout(timer);
  if (pendingPath !== null) setPendingPath(null);
}

/** Returns the path of a slow navigation in progress; else null. */
export const usePendingPath = (): string | null =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    () => pendingPath,
    () => null,
  );

"use client";

import { useSyncExternalStore } from "react";

/** What opens over every page: the command palette, or the list of shortcuts. */
export type Panel = "palette" | "shortcuts";

let panel: Panel | null = null;
const listeners = new Set<() => void>();

/** Opens a panel instead of the one that is open; null closes it. */
export function openPanel(next: Panel | null): void {
  panel = next;
  for (const listener of listeners) listener();
}

/** Returns the open panel; null without one. */
export const useOpenPanel = (): Panel | null =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    () => panel,
    () => null,
  );

"use client";

import { createStore } from "../ui/create-store";

const SKELETON_DELAY_MS = 150;

const pendingPath = createStore<string | null>(null);
let timer: ReturnType<typeof setTimeout> | undefined;

/** Shows the page skeleton unless the navigation to `url` ends within 150 ms. */
export function startNavigation(url: string): void {
  endNavigation();
  timer = setTimeout(() => pendingPath.setValue(new URL(url, location.href).pathname), SKELETON_DELAY_MS);
}

export function endNavigation(): void {
  clearTimeout(timer);
  if (pendingPath.readValue() !== null) pendingPath.setValue(null);
}

/** Returns the path of a slow navigation in progress; else null. */
export const usePendingPath = pendingPath.useValue;

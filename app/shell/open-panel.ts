"use client";

import { createStore } from "../ui/create-store";

/** What opens over every page: the command palette, or the list of shortcuts. */
export type Panel = "palette" | "shortcuts";

const openedPanel = createStore<Panel | null>(null);

/** Opens a panel instead of the one that is open; null closes it. */
export const openPanel = openedPanel.setValue;

/** Returns the open panel; null without one. */
export const useOpenPanel = openedPanel.useValue;

"use client";

import dynamic from "next/dynamic";
import { useEffect, useRef } from "react";
import { isMac } from "./is-mac";
import { openPanel, useOpenPanel } from "./open-panel";
import { consolePages } from "./pages";
import { hasSingleKeys } from "./shortcut-setting";
import { useOpenPage } from "./use-open-page";
import { partNotLoaded } from "../ui/part-not-loaded";

// Loaded when they are opened.
const Palette = dynamic(() => import("./palette/palette").then((module) => module.Palette, partNotLoaded), {
  ssr: false,
});
const ShortcutList = dynamic(() => import("./shortcut-list").then((module) => module.ShortcutList, partNotLoaded), {
  ssr: false,
});

const PREFIX_MS = 1_500;

/** Listens to the shortcuts of every page, and shows the palette and the list of shortcuts. */
export function Shortcuts() {
  const panel = useOpenPanel();
  useShortcuts();
  if (panel === "palette") return <Palette />;
  return panel === "shortcuts" && <ShortcutList />;
}

function useShortcuts(): void {
  const openPage = useOpenPage();
  const prefixedAt = useRef(-Infinity);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (isPaletteKey(event, isMac())) {
        event.preventDefault();
        openPanel("palette");
        return;
      }
      if (event.ctrlKey || event.metaKey || event.altKey || !hasSingleKeys() || isBusy(event.target)) return;
      const isPrefixed = event.timeStamp - prefixedAt.current < PREFIX_MS;
      prefixedAt.current = -Infinity;
      const shortcut = findShortcut({ key: event.key, isPrefixed });
      if (shortcut === null) return;
      if (shortcut === "prefix") {
        prefixedAt.current = event.timeStamp;
        return;
      }
      event.preventDefault();
      if (shortcut === "search") focusSearch();
      else if (typeof shortcut === "string") openPanel(shortcut);
      else openPage(shortcut.go);
    };
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, [openPage]);
}

/** Returns whether keys belong to a field or to an open dialog. */
const isBusy = (target: EventTarget | null): boolean =>
  (target instanceof HTMLElement &&
    (target.isContentEditable || target.matches("input:not([type=checkbox], [type=radio]), textarea, select"))) ||
  document.querySelector("[role=dialog], [role=alertdialog]") !== null;

/** Focuses the search of the page; opens the palette on a page without one. */
function focusSearch(): void {
  const field = document.querySelector<HTMLInputElement>("main input[type=search]");
  if (!field) return openPanel("palette");
  field.focus();
  field.select();
}

/** What a key does. */
type Shortcut = { go: string } | "palette" | "search" | "shortcuts" | "prefix";

interface Key {
  key: string;
  /** Whether `g` was pressed just before. */
  isPrefixed: boolean;
}

/** Returns what a single key does outside of fields and dialogs; null if nothing. */
export function findShortcut({ key, isPrefixed }: Key): Shortcut | null {
  if (isPrefixed) {
    const page = consolePages.find(({ letter }) => letter === key.toLowerCase());
    return page ? { go: page.path } : null;
  }
  if (key === "g") return "prefix";
  if (key === "/") return "search";
  return key === "?" ? "shortcuts" : null;
}

interface Modified {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  shiftKey: boolean;
}

/** Returns whether a key opens the palette: ⌘K on a Mac, where Ctrl+K deletes a line in a field, and Ctrl+K elsewhere. */
export const isPaletteKey = ({ key, ctrlKey, metaKey, altKey, shiftKey }: Modified, isMac: boolean): boolean =>
  key.toLowerCase() === "k" && !altKey && !shiftKey && (isMac ? metaKey && !ctrlKey : ctrlKey && !metaKey);

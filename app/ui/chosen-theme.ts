"use client";

import { useSyncExternalStore } from "react";
import { type Theme, THEME_COOKIE } from "./theme";

const YEAR_S = 31_536_000;
const listeners = new Set<() => void>();

/** What was chosen on this page; until then, what the server rendered applies. */
let chosen: Theme | null = null;

/** Applies a theme, and keeps it in a cookie so that the server can render it. */
export function chooseTheme(theme: Theme): void {
  chosen = theme;
  document.documentElement.dataset.theme = theme;
  document.cookie = `${THEME_COOKIE}=${theme}; path=/; max-age=${YEAR_S}; samesite=lax`;
  for (const listener of listeners) listener();
}

/** Returns the theme that applies; `rendered` is the server's. */
export const useTheme = (rendered: Theme): Theme =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    () => chosen ?? rendered,
    () => rendered,
  );

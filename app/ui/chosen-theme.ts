"use client";

import { createStore } from "./create-store";
import { type Theme, THEME_COOKIE } from "./theme";

const YEAR_S = 31_536_000;

/** The theme chosen on this page; null before that, when the server's applies. */
const chosenTheme = createStore<Theme | null>(null);

/** Applies a theme, and stores it in a cookie so that the server can render it. */
export function chooseTheme(theme: Theme): void {
  document.documentElement.dataset.theme = theme;
  document.cookie = `${THEME_COOKIE}=${theme}; path=/; max-age=${YEAR_S}; samesite=lax`;
  chosenTheme.setValue(theme);
}

/** Returns the theme that applies; `rendered` is the server's. */
export const useTheme = (rendered: Theme): Theme => chosenTheme.useValue() ?? rendered;

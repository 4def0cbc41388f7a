"use client";

import { useSyncExternalStore } from "react";

/** The secrets that requests are sent with. */
interface Tokens {
  key: string;
  worker: string;
}

// In memory only: a reload forgets them, and nothing of the page writes them anywhere.
let tokens: Tokens = { key: "", worker: "" };
const listeners = new Set<() => void>();
const empty = tokens;

export function setToken(kind: keyof Tokens, token: string): void {
  tokens = { ...tokens, [kind]: token };
  for (const listener of listeners) listener();
}

/** Returns the secrets that were entered on this page; every form shares them. */
export const useTokens = (): Tokens =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    () => tokens,
    () => empty,
  );

"use client";

import { createStore } from "../../../../ui/create-store";

/** The secrets that requests are sent with. */
interface Tokens {
  key: string;
  worker: string;
  operator: string;
}

// Secrets stay in memory: a reload forgets them.
const tokens = createStore<Tokens>({ key: "", worker: "", operator: "" });

export const setToken = (kind: keyof Tokens, token: string): void =>
  tokens.setValue({ ...tokens.readValue(), [kind]: token });

/** Returns the secrets that were entered on this page; every form shares them. */
export const useTokens = tokens.useValue;

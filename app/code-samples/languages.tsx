"use client";

import { createContext, type ReactNode, useContext, useState } from "react";
import type { Language } from "./snippets";

type Choice = readonly [Language, (language: Language) => void];

const Shared = createContext<Choice | null>(null);

/** Shares one chosen language among all programs inside. */
export function SharedLanguage({ children }: { children: ReactNode }) {
  const choice = useState<Language>("curl");
  return <Shared value={choice}>{children}</Shared>;
}

/** Returns the language to show, and a function that chooses another. */
export function useLanguage(): Choice {
  const own = useState<Language>("curl");
  return useContext(Shared) ?? own;
}

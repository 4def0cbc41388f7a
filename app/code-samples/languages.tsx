"use client";

import { createContext, type ReactNode, useContext, useState } from "react";
import type { Language } from "./snippets";

type Choice = readonly [Language, (language: Language) => void];

const Shared = createContext<Choice | null>(null);

/** All programs inside are shown in one language: whoever chooses it in one place has it in all. */
export function SharedLanguage({ children }: { children: ReactNode }) {
  const choice = useState<Language>("curl");
  return <Shared value={choice}>{children}</Shared>;
}

/** The language to show, and the way to choose another. */
export function useLanguage(): Choice {
  const own = useState<Language>("curl");
  return useContext(Shared) ?? own;
}

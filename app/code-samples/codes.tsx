"use client";

import { createContext, type ReactNode, useContext, useState } from "react";
import { Card } from "../ui/card";
import { CopyButton } from "../ui/copy-button";
import { Segments } from "../ui/segments";
import { Highlighted } from "./highlight";
import type { Language } from "./snippets";

interface Props {
  title: string;
  heading?: "h3";
  codes: { value: Language; label: string; code: string }[];
}

/** Shows a program in the chosen language, else in the first available one. */
export function Codes({ title, heading, codes }: Props) {
  const [language, choose] = useLanguage();
  const { value, label, code } = codes.find((one) => one.value === language) ?? codes[0]!;
  return (
    <Card
      flush
      title={title}
      heading={heading}
      action={codes.length > 1 && <Segments label="Language" options={codes} value={value} onChange={choose} />}
    >
      <div className="relative">
        <pre
          tabIndex={0}
          aria-label={`${title} in ${label}`}
          className="max-h-112 overflow-auto rounded-b-xl bg-sunken p-5 pb-16 font-mono text-xs leading-5"
        >
          <code>
            <Highlighted code={code} />
          </code>
        </pre>
        <CopyButton text={code} label="Copy code" className="absolute right-4 bottom-4" />
      </div>
    </Card>
  );
}

type Choice = readonly [Language, (language: Language) => void];

const Shared = createContext<Choice | null>(null);

/** Shares one chosen language among all programs inside. */
export function SharedLanguage({ children }: { children: ReactNode }) {
  const choice = useState<Language>("curl");
  return <Shared value={choice}>{children}</Shared>;
}

/** Returns the language to show, and a function that chooses another. */
function useLanguage(): Choice {
  const own = useState<Language>("curl");
  return useContext(Shared) ?? own;
}

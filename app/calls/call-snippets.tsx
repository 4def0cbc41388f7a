"use client";

import { useState } from "react";
import { Card } from "../ui/card";
import { CopyButton } from "../ui/copy-button";
import { Segments } from "../ui/segments";
import { type Call, type Language, languages, snippetOf } from "./snippets";

/** The same call as a program, to copy. */
export function CallSnippets({ call }: { call: Call }) {
  const [language, setLanguage] = useState<Language>("curl");
  const code = snippetOf(language, call);
  return (
    <Card
      flush
      title="API call"
      action={<Segments label="Language" options={languages} value={language} onChange={setLanguage} />}
    >
      <div className="relative">
        <pre
          tabIndex={0}
          aria-label={`The call in ${language}`}
          className="max-h-112 overflow-auto rounded-b-xl bg-sunken p-5 pb-16 font-mono text-xs leading-5"
        >
          <code>{code}</code>
        </pre>
        <CopyButton text={code} label="Copy code" className="absolute right-4 bottom-4" />
      </div>
    </Card>
  );
}

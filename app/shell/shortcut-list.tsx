"use client";

import { useState } from "react";
import { Dialog } from "../ui/dialog";
import { CheckField } from "../ui/form";
import { isMac } from "./is-mac";
import { openPanel } from "./open-panel";
import { consolePages } from "./pages";
import { hasSingleKeys, setSingleKeys } from "./shortcut-setting";

interface Row {
  keys: string[];
  label: string;
}

const listRows = (): Row[] => [
  { keys: [isMac() ? "⌘" : "Ctrl", "K"], label: "Open the command palette" },
  { keys: ["/"], label: "Search on this page" },
  { keys: ["?"], label: "Show the shortcuts" },
  { keys: [isMac() ? "⌘" : "Ctrl", "Enter"], label: "Run, in the playground" },
  ...consolePages.flatMap(({ letter, title }) =>
    letter ? [{ keys: ["G", letter.toUpperCase()], label: `Go to ${title}` }] : [],
  ),
];

/** Lists the keyboard shortcuts. Single keys can be turned off. */
export function ShortcutList() {
  const [isOn, setOn] = useState(hasSingleKeys);
  const change = (next: boolean) => {
    setOn(next);
    setSingleKeys(next);
  };
  return (
    <Dialog open onOpenChange={() => openPanel(null)} title="Keyboard shortcuts">
      <dl className="grid gap-1.5 text-sm">
        {listRows().map(({ keys, label }) => (
          <div key={label} className="flex items-center justify-between gap-4">
            <dt>{label}</dt>
            <dd className="flex gap-1">
              {keys.map((key) => (
                <kbd
                  key={key}
                  className="min-w-7 rounded-md border border-strong-line bg-sunken px-1.5 py-0.5 text-center font-sans text-xs"
                >
                  {key}
                </kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
      <div className="mt-5 border-t border-line pt-4">
        <CheckField
          label="Single-key shortcuts"
          hint="Turn them off if you use speech input. They never apply while you type in a field."
          checked={isOn}
          onChange={(event) => change(event.target.checked)}
        />
      </div>
    </Dialog>
  );
}

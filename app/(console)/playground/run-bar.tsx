"use client";

import { Play } from "lucide-react";
import type { KeyboardEvent, ReactNode } from "react";
import { Button } from "../../ui/button";
import { PriceOnButton } from "../../ui/price-on-button";
import { useHydrated } from "../../ui/use-hydrated";
import { Cost } from "./cost";

interface Props {
  /** Undefined until the price is known, null if there is none. */
  euros: number | null | undefined;
  isExact: boolean;
  isBusy: boolean;
  /** Runs the form several times; without it there is no button for that. */
  onRunSeveral?: (count: number) => void;
  /** Why a run was rejected. */
  children: ReactNode;
}

const SEVERAL = 4;

/** Renders the cost and the button that runs a form, and why it was rejected. It stays in view below a long form. */
export const RunBar = ({ euros, isExact, isBusy, onRunSeveral, children }: Props) => (
  <div className="sticky bottom-0 z-20 -mx-5 -mb-5 flex flex-wrap items-center justify-between gap-3 rounded-b-xl border-t border-line bg-raised px-5 py-3 [&>[role=alert]]:w-full">
    {children}
    <Cost euros={euros} isExact={isExact} />
    <div className="flex flex-wrap items-center gap-2 sm:gap-3">
      <CommandEnter />
      {onRunSeveral && (
        <Button needs="develop" busy={isBusy} className="max-sm:px-2.5" onClick={() => onRunSeveral(SEVERAL)}>
          <span>
            Run {SEVERAL}×
            <PriceOnButton euros={euros && euros * SEVERAL} isExact={isExact} />
          </span>
        </Button>
      )}
      <Button kind="primary" type="submit" busy={isBusy} className="max-sm:px-2.5">
        <Play size={16} aria-hidden />
        <span>
          Run
          <PriceOnButton euros={euros} isExact={isExact} />
        </span>
      </Button>
    </div>
  </div>
);

/** Shows the shortcut that runs a form, as this system writes it; nothing on touch screens. */
function CommandEnter() {
  const isApple = useHydrated() && /mac|iphone|ipad/i.test(navigator.platform);
  return (
    <kbd className="min-w-20 text-right font-sans text-xs text-soft max-sm:hidden pointer-coarse:hidden">
      {isApple ? "⌘ Enter" : "Ctrl+Enter"}
    </kbd>
  );
}

/** Submits the form on Ctrl+Enter or ⌘+Enter. */
export function submitOnCommandEnter({ key, ctrlKey, metaKey, currentTarget }: KeyboardEvent<HTMLFormElement>): void {
  // Later, because Enter may have added what was typed to the input, and this render does not have it yet.
  if (key === "Enter" && (ctrlKey || metaKey)) setTimeout(() => currentTarget.requestSubmit());
}

"use client";

import { Play } from "lucide-react";
import type { KeyboardEvent } from "react";
import { Button } from "../../ui/button";
import { PriceOnButton } from "../../ui/price-on-button";
import { useHydrated } from "../../ui/use-hydrated";
import { Cost } from "./cost";

interface Props {
  euros: number | undefined;
  isExact: boolean;
  isBusy: boolean;
  /** Runs the form several times; without it there is no button for that. */
  onRunSeveral?: (count: number) => void;
}

const SEVERAL = 4;

/** Renders the cost and the button that runs a form; on a phone it stays in view. */
export const RunBar = ({ euros, isExact, isBusy, onRunSeveral }: Props) => (
  <div className="flex flex-wrap items-center justify-between gap-3 border-t border-line pt-4 max-sm:sticky max-sm:bottom-0 max-sm:z-20 max-sm:-mx-5 max-sm:-mb-5 max-sm:rounded-b-xl max-sm:bg-raised max-sm:px-5 max-sm:py-3">
    <Cost euros={euros} isExact={isExact} />
    <div className="flex flex-wrap items-center gap-2 sm:gap-3">
      <CommandEnter />
      {onRunSeveral && (
        <Button needs="develop" busy={isBusy} className="max-sm:px-2.5" onClick={() => onRunSeveral(SEVERAL)}>
          <span>
            Run {SEVERAL}×
            <PriceOnButton euros={euros === undefined ? undefined : euros * SEVERAL} isExact={isExact} />
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
export function submitOnCommandEnter(event: KeyboardEvent<HTMLFormElement>): void {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) event.currentTarget.requestSubmit();
}

"use client";

import { Play } from "lucide-react";
import { Button } from "../../ui/button";
import { Cost } from "./cost";
import { PriceOnButton } from "../../ui/price-on-button";
import { CommandEnter } from "./command-enter";

interface Props {
  euros: number | undefined;
  isExact: boolean;
  isBusy: boolean;
}

/** Renders the cost and the button that runs a form; on a phone it stays in view. */
export const RunBar = ({ euros, isExact, isBusy }: Props) => (
  <div className="flex flex-wrap items-center justify-between gap-3 border-t border-line pt-4 max-sm:sticky max-sm:bottom-0 max-sm:z-20 max-sm:-mx-5 max-sm:-mb-5 max-sm:rounded-b-xl max-sm:bg-raised max-sm:px-5 max-sm:py-3">
    <Cost euros={euros} isExact={isExact} />
    <div className="flex items-center gap-3">
      <CommandEnter />
      <Button kind="primary" type="submit" busy={isBusy}>
        <Play size={16} aria-hidden />
        <span>
          Run
          <PriceOnButton euros={euros} isExact={isExact} />
        </span>
      </Button>
    </div>
  </div>
);

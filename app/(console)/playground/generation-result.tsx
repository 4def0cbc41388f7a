import type { ReactNode } from "react";
import { StatusBadge } from "../../ui/badge";
import { Card } from "../../ui/card";
import { Link } from "../../ui/link";
import { Money } from "../../ui/money";
import { Cancel } from "../generations/[id]/actions";
import { CompareWith } from "../generations/compare/compare-with";
import { ErrorDetails } from "../generations/[id]/error-details";
import { GenerationProgress } from "../generations/generation-progress";
import { OutputGrid } from "../generations/outputs/output-grid";
import { OutputPlaceholder } from "../generations/outputs/output-placeholder";
import { NotifyButton } from "../generations/end-notice/notify-button";
import { StarButton } from "../generations/favourites/star-button";
import { NextSteps } from "../generations/next-steps/next-steps";
import type { GenerationDetail } from "../generations/types";
import type { Shown } from "./use-run";

interface Props {
  generation: GenerationDetail;
  /** Shows another run, which was started from this one. */
  onStarted?: (started: Shown) => void;
  /** More actions. */
  children?: ReactNode;
}

/** Shows the status and outputs of a generation. */
export function GenerationResult({ generation, onStarted, children }: Props) {
  const state = (
    <span role="status">
      <StatusBadge status={generation.status} />
    </span>
  );
  return (
    <Card title="Result" action={state}>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        <GenerationProgress generation={generation} />
        <ErrorDetails generation={generation} />
        {generation.completed_at === null && <OutputPlaceholder generation={generation} />}
        <OutputGrid generation={generation} />
        <ResultFooter generation={generation}>{children}</ResultFooter>
        {/* The last, because it is loaded after the others and would move them away from a click. */}
        <NextSteps id={generation.id} onStarted={onStarted} />
      </div>
    </Card>
  );
}

/** The cost of a generation, with a link to its details. */
function ResultFooter({ generation, children }: Omit<Props, "onStarted">) {
  const { id, model, completed_at, billed_cost, estimated_cost } = generation;
  const isSettled = completed_at !== null;
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 text-sm text-soft">
      <span>
        {isSettled ? "Charged " : "Reserved "}
        <Money euros={isSettled ? (billed_cost ?? 0) : estimated_cost} /> · {model}
      </span>
      <span className="flex flex-wrap items-center gap-3">
        <Link href={`/generations/${id}`} className="text-accent underline">
          View details
        </Link>
        {children}
        <CompareWith id={id} model={model} />
        {isSettled ? <StarButton id={id} title={model} /> : <NotifyButton />}
        <Cancel generation={generation} />
      </span>
    </div>
  );
}

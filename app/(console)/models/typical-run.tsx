"use client";

import { useFormats } from "../../ui/formats-context";
import { Price } from "../../ui/shown-prices";
import type { ModelSummary } from "./types";

interface Props {
  model: Pick<ModelSummary, "is_llm" | "output_modalities" | "typical_cost" | "typical_seconds">;
}

/** Says what a usual run of a model costs and how long it takes; leaves out what is unknown. */
export function TypicalRun({ model }: Props) {
  const { is_llm: isLlm, output_modalities: makes, typical_cost: cost, typical_seconds: seconds } = model;
  const isChat = isLlm && makes.includes("text");
  const { number } = useFormats();
  return (
    <>
      {cost !== null && (
        <span title={isLlm ? "1,000 tokens of input and 500 of output" : "A run with the default parameters"}>
          <Price euros={cost} /> a {isChat ? "chat" : "run"}
        </span>
      )}
      {cost !== null && seconds !== null && <span aria-hidden> · </span>}
      {seconds !== null && (
        <span title="The median of the newest runs on this hub">
          about {number(seconds < 10 ? seconds : Math.round(seconds))} s
        </span>
      )}
    </>
  );
}

"use client";

import { useQuery } from "@tanstack/react-query";
import { Dices, Grid2x2 } from "lucide-react";
import { useRouter } from "next/navigation";
import { parametersOf } from "../../../parameters/parameter";
import { useTRPC } from "../../../trpc/client";
import { AccessError } from "../../../ui/access-error";
import { Button } from "../../../ui/button";
import { PriceOnButton } from "../../../ui/price-on-button";
import { varySeed } from "../../playground/batch/vary-seed";
import { useConfirmedPrice } from "../../playground/use-confirmed-price";
import { type Shown, useRun } from "../../playground/use-run";
import type { GenerationDetail } from "../types";
import { EditWith, fileIdOf, isPicture } from "./edit-with";
import { Larger } from "./larger";

const VARIATIONS = 4;

interface Props {
  /** The id of a generation. */
  id: string;
  /** The output that is shown; by default the first one. */
  fileId?: string;
  /** Shows what was started; by default its own page opens. */
  onStarted?: (started: Shown) => void;
}

/** Offers what to do next with a result, each run with its price: another seed, variations, larger, its picture as an input. */
export function NextSteps({ id, fileId, onStarted }: Props) {
  const { data: generation } = useQuery({ ...useTRPC().generations.get.queryOptions({ id }), staleTime: Infinity });
  if (!generation || generation.is_llm || generation.status !== "succeeded" || generation.erased_at !== null)
    return null;
  const pictures = generation.outputs.filter(isPicture);
  const picture = pictures.find((output) => fileIdOf(output) === fileId) ?? pictures[0];
  return (
    <div className="flex flex-wrap gap-2">
      {generation.run_again_cost !== null && (
        <Variations generation={generation} euros={generation.run_again_cost} onStarted={onStarted} />
      )}
      <Larger generation={generation} picture={picture} />
      {picture && <EditWith fileId={fileIdOf(picture)} />}
    </div>
  );
}

interface VariationsProps extends Pick<Props, "onStarted"> {
  generation: GenerationDetail;
  /** What one run costs at most. */
  euros: number;
}

/** Runs the input of a generation with other seeds. Models without a seed choose their own. */
function Variations({ generation: { model, input }, euros, onStarted }: VariationsProps) {
  const router = useRouter();
  const { data } = useQuery({ ...useTRPC().models.get.queryOptions({ id: model }), staleTime: Infinity });
  const parameters = parametersOf(data?.parameters_schema ?? {});
  const open = ({ id, batchId }: Shown) => router.push(id === undefined ? `/batches/${batchId}` : `/generations/${id}`);
  const { run } = useRun(parameters, onStarted ?? open);
  const confirmPrice = useConfirmedPrice(model, euros);
  const hasSeed = parameters.some(({ name }) => name === "seed");
  const start = async (count: number) => {
    const first = crypto.getRandomValues(new Uint32Array(1))[0]! >>> 2;
    const [next] = varySeed({ ...input, seed: undefined }, parameters, 1, first);
    const { isShown, quote, cost } = await confirmPrice(next!);
    if (isShown) run.start(model, next!, {}, { count, quote, cost });
  };
  return (
    <>
      <Button needs="develop" busy={run.isPending || !data} onClick={() => void start(1)}>
        <Dices size={16} aria-hidden />
        <span>
          {hasSeed ? "Another seed" : "Another one"}
          <PriceOnButton euros={euros} isExact={false} />
        </span>
      </Button>
      <Button needs="develop" busy={run.isPending || !data} onClick={() => void start(VARIATIONS)}>
        <Grid2x2 size={16} aria-hidden />
        <span>
          {VARIATIONS} variations
          <PriceOnButton euros={euros * VARIATIONS} isExact={false} />
        </span>
      </Button>
      <AccessError error={run.error} />
    </>
  );
}

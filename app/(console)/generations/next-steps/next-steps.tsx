"use client";

import { useQuery } from "@tanstack/react-query";
import { Dices, Grid2x2 } from "lucide-react";
import { useRouter } from "next/navigation";
import { type ReactNode, useState } from "react";
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
  /** Whether the steps stay in one row, which scrolls if it is too narrow. */
  isOneRow?: boolean;
  /** Shows what was started; by default its own page opens. */
  onStarted?: (started: Shown) => void;
}

/** Offers what to do next with a result, each run with its price: another seed, variations, larger, its picture as an input. */
export function NextSteps({ id, fileId, isOneRow = false, onStarted }: Props) {
  const { data: generation } = useQuery({ ...useTRPC().generations.get.queryOptions({ id }), staleTime: Infinity });
  if (!generation || generation.is_llm || generation.status !== "succeeded" || generation.erased_at !== null)
    return null;
  const pictures = generation.outputs.filter(isPicture);
  const picture = pictures.find((output) => fileIdOf(output) === fileId) ?? pictures[0];
  const { run_again_cost: euros } = generation;
  const others = (
    <>
      <Larger generation={generation} picture={picture} />
      {picture && <EditWith fileId={fileIdOf(picture)} />}
    </>
  );
  const row = `flex gap-2 ${isOneRow ? "-m-1 overflow-x-auto p-1 *:shrink-0" : "flex-wrap"}`;
  return euros === null ? (
    <div className={row}>{others}</div>
  ) : (
    <Runs generation={generation} euros={euros} onStarted={onStarted} row={row}>
      {others}
    </Runs>
  );
}

interface RunsProps extends Pick<Props, "onStarted"> {
  generation: GenerationDetail;
  /** What one run costs at most. */
  euros: number;
  /** The class of the row of buttons. */
  row: string;
  /** The other buttons of the row. */
  children: ReactNode;
}

/** Runs the input of a generation with other seeds. Models without a seed choose their own. */
function Runs({ generation: { model, input }, euros, onStarted, row, children }: RunsProps) {
  const router = useRouter();
  const { data } = useQuery({ ...useTRPC().models.get.queryOptions({ id: model }), staleTime: Infinity });
  const parameters = parametersOf(data?.parameters_schema ?? {});
  const open = ({ id, batchId }: Shown) => router.push(id === undefined ? `/batches/${batchId}` : `/generations/${id}`);
  const { run } = useRun(parameters, onStarted ?? open);
  const confirmPrice = useConfirmedPrice(model, euros);
  const hasSeed = parameters.some(({ name }) => name === "seed");
  const [isPricing, setPricing] = useState(false);
  const start = async (count: number) => {
    // Each press draws another seed, so a second one would be another run.
    setPricing(true);
    const first = crypto.getRandomValues(new Uint32Array(1))[0]! >>> 2;
    const [next] = varySeed({ ...input, seed: undefined }, parameters, 1, first);
    const { isShown, quote, cost } = await confirmPrice(next!);
    if (isShown) run.start(model, next!, {}, { count, quote, cost });
    setPricing(false);
  };
  const buttons = [
    { count: 1, Icon: Dices, label: hasSeed ? "Another seed" : "Another one" },
    { count: VARIATIONS, Icon: Grid2x2, label: `${VARIATIONS} variations` },
  ];
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <div className={row}>
        {buttons.map(({ count, Icon, label }) => (
          <Button
            key={count}
            needs="develop"
            busy={isPricing || run.isPending || !data}
            onClick={() => void start(count)}
          >
            <Icon size={16} aria-hidden />
            <span>
              {label}
              <PriceOnButton euros={euros * count} isExact={false} />
            </span>
          </Button>
        ))}
        {children}
      </div>
      <AccessError error={run.error} />
    </div>
  );
}

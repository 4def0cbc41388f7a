import { Layers } from "lucide-react";
import { Link } from "../../ui/link";
import { Td } from "../../ui/table";
import { Count, TimeAgo } from "../../ui/values";
import { BatchCost, BatchProgress, BatchStatus, countAll } from "../batches/batch-progress";
import type { Batch } from "../batches/types";

/** Renders a batch as one row of the list of generations. It cannot be selected. */
export const BatchRow = ({ batch, isSelectable }: { batch: Batch; isSelectable: boolean }) => (
  <tr className="hover:bg-sunken/60">
    {isSelectable && <Td className="pr-0" />}
    <Td className={`w-full max-w-0 ${isSelectable ? "pl-1" : ""}`}>
      <Link href={`/batches/${batch.id}`} className="group flex items-center gap-3">
        <span className="grid size-10 shrink-0 place-items-center rounded-lg border border-line bg-sunken text-soft">
          <Layers size={18} aria-hidden />
        </span>
        <span className="grid min-w-0 flex-1 leading-5">
          <span className="truncate font-medium group-hover:underline">
            Batch of <Count value={countAll(batch)} />
          </span>
          <span className="truncate text-xs text-soft">{batch.model}</span>
          <span className="mt-1 grid gap-1.5 text-xs text-soft sm:hidden">
            <span className="flex flex-wrap items-center gap-2">
              <BatchStatus batch={batch} />
              <BatchCost batch={batch} />
              <TimeAgo at={batch.created_at} />
            </span>
            <BatchProgress batch={batch} />
          </span>
        </span>
      </Link>
    </Td>
    <Td className="max-sm:hidden">
      <span className="grid w-fit justify-items-start gap-1.5">
        <BatchStatus batch={batch} />
        <BatchProgress batch={batch} />
      </span>
    </Td>
    <Td className="text-right max-sm:hidden">
      <BatchCost batch={batch} />
    </Td>
    <Td className="text-soft max-md:hidden">
      <TimeAgo at={batch.created_at} />
    </Td>
  </tr>
);

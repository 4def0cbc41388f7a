import { MessageSquareText, Sparkles, Star } from "lucide-react";
import { StatusBadge } from "../../ui/badge";
import { FileThumbnail } from "../../ui/file-thumbnail";
import { Link } from "../../ui/link";
import { Money } from "../../ui/money";
import { ownPath } from "../../ui/own-path";
import { ProgressBar } from "../../ui/progress-bar";
import { type Selection, SelectRow } from "../../ui/selection";
import { Table, Td, Th } from "../../ui/table";
import { TimeAgo } from "../../ui/values";
import type { Batch } from "../batches/types";
import { BatchRow } from "./batch-row";
import { describeFailure } from "./describe-failure";
import { useIsFavourite } from "./favourites/star-button";
import { isAvailable } from "./is-available";
import { mergeRows } from "./list-rows";
import type { GenerationSummary } from "./types";

interface Props {
  generations: GenerationSummary[];
  /** Batches that stand for their generations. */
  batches?: Batch[];
  /** Rows have a checkbox if it is given. */
  selection?: Selection;
}

export const GenerationTable = ({ generations, batches = [], selection }: Props) => (
  <Table label="Generations">
    <thead>
      <tr>
        {selection && (
          <Th className="pr-0">
            <span className="sr-only">Select</span>
          </Th>
        )}
        <Th className={selection && "pl-1"}>Generation</Th>
        <Th className="max-sm:hidden">Status</Th>
        <Th className="text-right max-sm:hidden">Cost</Th>
        <Th className="max-md:hidden">Created</Th>
      </tr>
    </thead>
    <tbody>
      {mergeRows(generations, batches).map((row) =>
        row.generation ? (
          <Row key={row.generation.id} generation={row.generation} selection={selection} />
        ) : (
          <BatchRow key={row.batch.id} batch={row.batch} isSelectable={selection !== undefined} />
        ),
      )}
    </tbody>
  </Table>
);

function Row({ generation, selection }: { generation: GenerationSummary; selection?: Selection }) {
  const { id, title, model, status, progress } = generation;
  const isFavourite = useIsFavourite(id);
  return (
    <tr className="hover:bg-sunken/60">
      {selection && (
        <Td className="pr-0 pl-2.5">
          <SelectRow selection={selection} id={id} label={title ?? id} />
        </Td>
      )}
      <Td className={`w-full max-w-0 ${selection ? "pl-1" : ""}`}>
        <Link href={`/generations/${id}`} className="group flex items-center gap-3">
          <Thumbnail generation={generation} />
          <span className="grid min-w-0 leading-5">
            <span className="truncate font-medium group-hover:underline max-sm:line-clamp-2 max-sm:whitespace-normal">
              {isFavourite && (
                <Star size={14} role="img" aria-label="Favourite" className="mr-1.5 inline fill-current text-accent" />
              )}
              {title ?? id}
            </span>
            <span className="truncate text-xs text-soft">
              {model}
              {generation.output_count > 1 && ` · ${generation.output_count} outputs`}
            </span>
            {generation.error && <FailureReason error={generation.error} />}
            <span className="flex min-w-0 items-center gap-2 text-xs text-soft max-sm:mt-1 md:hidden">
              <span className="contents sm:hidden">
                <StatusBadge status={status} />
                <Cost generation={generation} />
              </span>
              <span className="truncate">
                <TimeAgo at={generation.created_at} />
              </span>
            </span>
          </span>
        </Link>
      </Td>
      <Td className="max-sm:hidden">
        <span className="grid w-fit gap-1.5">
          <StatusBadge status={status} />
          {status === "running" && progress !== null && <ProgressBar share={progress} label={`Progress of ${title}`} />}
        </span>
      </Td>
      <Td className="text-right max-sm:hidden">
        <Cost generation={generation} />
      </Td>
      <Td className="text-soft max-md:hidden">
        <TimeAgo at={generation.created_at} />
      </Td>
    </tr>
  );
}

/** Shows why a generation failed, because a list of failures would otherwise explain none of them. */
export function FailureReason({ error }: { error: NonNullable<GenerationSummary["error"]> }) {
  const { title, message } = describeFailure(error, []);
  return (
    <span className="truncate text-xs text-danger" title={message ?? title}>
      {message ?? title}
    </span>
  );
}

/** The billed cost, or the estimate until the generation ends. */
export function Cost({
  generation: { billed_cost, estimated_cost, completed_at },
}: {
  generation: Pick<GenerationSummary, "billed_cost" | "estimated_cost" | "completed_at">;
}) {
  if (completed_at) return billed_cost === null ? <span className="text-soft">—</span> : <Money euros={billed_cost} />;
  return (
    <span className="text-soft">
      ≤ <Money euros={estimated_cost} />
    </span>
  );
}

function Thumbnail({ generation: { output, is_llm } }: { generation: GenerationSummary }) {
  if (isAvailable(output)) {
    return <FileThumbnail path={ownPath(output.url)} mediaType={output.media_type} size={output.size} />;
  }
  const Icon = is_llm ? MessageSquareText : Sparkles;
  return (
    <span className="grid size-10 shrink-0 place-items-center rounded-lg border border-line bg-sunken text-soft">
      <Icon size={18} aria-hidden />
    </span>
  );
}

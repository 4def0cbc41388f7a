import { ChevronRight } from "lucide-react";
import { type ReactNode, useId, useState } from "react";
import { Badge, StatusBadge } from "../../ui/badge";
import { Link } from "../../ui/link";
import { Table, Td, Th } from "../../ui/table";
import { Count, Duration, TimeAgo } from "../../ui/values";
import { Cost, FailureReason } from "../generations/generation-table";
import { PhaseBar } from "../generations/phase-list";
import { listPhases, sumPhases } from "../generations/phases";
import { KeyLink } from "./key-link";
import { GenerationDetails, RejectedDetails } from "./request-details";
import type { ListedGeneration, RejectedRequest, Request } from "./types";

const COLUMNS = 6;

/** Lists generations and rejected requests; each row opens its details. */
export const RequestTable = ({ requests }: { requests: Request[] }) => (
  <Table label="Requests">
    <thead>
      <tr>
        <Th>Request</Th>
        <Th className="max-sm:hidden">Outcome</Th>
        <Th className="max-md:hidden">Duration</Th>
        <Th className="text-right max-lg:hidden">Tokens</Th>
        <Th className="text-right max-sm:hidden">Cost</Th>
        <Th className="max-lg:hidden">Time</Th>
      </tr>
    </thead>
    <tbody>
      {requests.map((request) =>
        request.kind === "generation" ? (
          <GenerationRow key={request.id} generation={request} />
        ) : (
          <RejectedRow key={request.id} request={request} />
        ),
      )}
    </tbody>
  </Table>
);

const GenerationRow = ({ generation }: { generation: ListedGeneration }) => (
  <Row
    request={generation}
    label={generation.model}
    title={
      <Link href={`/generations/${generation.id}`} className="truncate font-medium hover:underline">
        {generation.model}
      </Link>
    }
    reason={generation.error && <FailureReason error={generation.error} />}
    outcome={<StatusBadge status={generation.status} />}
    time={generation.completed_at !== null && <Time generation={generation} />}
    tokens={generation.usage && <Tokens usage={generation.usage} />}
    cost={<Cost generation={generation} />}
    details={<GenerationDetails generation={generation} />}
  />
);

const RejectedRow = ({ request }: { request: RejectedRequest }) => (
  <Row
    request={request}
    label={`${request.method} ${request.path}`}
    title={
      <code className="min-w-0 truncate font-mono text-xs leading-5" title={`${request.method} ${request.path}`}>
        {request.method} {request.path}
      </code>
    }
    reason={<span className="line-clamp-2 text-xs break-words whitespace-normal text-soft">{request.message}</span>}
    outcome={
      <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <Badge tone={request.status >= 500 ? "danger" : "warning"}>Rejected</Badge>
        <span className="text-xs text-soft tabular-nums">{request.status}</span>
      </span>
    }
    details={<RejectedDetails request={request} />}
  />
);

interface RowProps {
  request: Request;
  /** Names the row for screen readers. */
  label: string;
  title: ReactNode;
  reason: ReactNode;
  outcome: ReactNode;
  time?: ReactNode;
  tokens?: ReactNode;
  cost?: ReactNode;
  details: ReactNode;
}

/** Renders a row with a button that opens its details below. On a phone everything is in its first cell. */
function Row({ request, label, title, reason, outcome, time, tokens, cost, details }: RowProps) {
  const [isOpen, setOpen] = useState(false);
  const detailsId = useId();
  return (
    <>
      <tr className={`hover:bg-sunken/60 ${isOpen ? "[&>td]:border-0" : ""}`}>
        <Td className="w-full max-w-0 pl-2">
          <span className="flex items-start gap-1">
            <button
              type="button"
              aria-expanded={isOpen}
              aria-controls={isOpen ? detailsId : undefined}
              aria-label={`Details of ${label}`}
              onClick={() => setOpen(!isOpen)}
              className="grid size-7 shrink-0 cursor-pointer place-items-center rounded-md text-soft pointer-coarse:relative pointer-coarse:-m-2 pointer-coarse:size-11 hover:bg-sunken hover:text-ink"
            >
              <ChevronRight size={16} aria-hidden className={isOpen ? "rotate-90" : ""} />
            </button>
            <span className="grid min-w-0 flex-1 gap-0.5 pt-1 leading-5">
              {title}
              {reason}
              <span className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1 text-xs text-soft">
                <span className="contents sm:hidden">
                  {outcome}
                  {cost}
                </span>
                <span className="contents md:hidden">{time}</span>
                <KeyLink keyOfRequest={request.key} />
                <span className="lg:hidden">
                  <TimeAgo at={request.created_at} />
                </span>
              </span>
            </span>
          </span>
        </Td>
        <Td className="max-sm:hidden">{outcome}</Td>
        <Td className="max-md:hidden">{time || <None />}</Td>
        <Td className="text-right max-lg:hidden">{tokens ?? <None />}</Td>
        <Td className="text-right max-sm:hidden">{cost ?? <None />}</Td>
        <Td className="text-soft max-lg:hidden">
          <TimeAgo at={request.created_at} />
        </Td>
      </tr>
      {isOpen && (
        <tr id={detailsId}>
          <Td colSpan={COLUMNS} className="pt-0 sm:pl-10">
            {details}
          </Td>
        </tr>
      )}
    </>
  );
}

const None = () => <span className="text-soft">—</span>;

/** Shows how long an ended generation took, and its phases. */
function Time({ generation }: { generation: ListedGeneration }) {
  const phases = listPhases(generation);
  return (
    <span className="grid w-24 gap-1.5 tabular-nums max-md:w-auto">
      <span>
        <Duration ms={sumPhases(phases)} />
      </span>
      <span className="max-md:hidden">
        <PhaseBar phases={phases} />
      </span>
    </span>
  );
}

const Tokens = ({ usage }: { usage: NonNullable<ListedGeneration["usage"]> }) => (
  <span className="grid text-xs text-soft tabular-nums">
    <span>
      <Count value={usage.input_tokens} /> in
    </span>
    <span>
      <Count value={usage.output_tokens} /> out
    </span>
  </span>
);

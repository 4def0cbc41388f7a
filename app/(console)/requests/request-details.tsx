import type { ReactNode } from "react";
import { describeTokens } from "../../tokens/describe-tokens";
import { Button } from "../../ui/button";
import { CopyButton } from "../../ui/copy-button";
import { useFormats } from "../../ui/formats-context";
import { Link } from "../../ui/link";
import { Money } from "../../ui/money";
import { DateTime } from "../../ui/values";
import { describeFailure } from "../generations/describe-failure";
import { OpenInPlayground } from "../generations/open-in-playground";
import { PhaseList } from "../generations/phase-list";
import { listPhases } from "../generations/phases";
import { KeyLink } from "./key-link";
import type { ListedGeneration, RejectedRequest } from "./types";

/** Shows a generation's phases, route, tokens by class and cost. */
export function GenerationDetails({ generation }: { generation: ListedGeneration }) {
  const { id, attempts, error, usage, billed_cost, estimated_cost, completed_at } = generation;
  const { number } = useFormats();
  const phases = listPhases(generation);
  const routes = attempts.flatMap(({ route }) => route ?? []);
  return (
    <Details
      request={generation}
      aside={phases.length > 0 && <PhaseList phases={phases} hasEnded={completed_at !== null} />}
      actions={
        <>
          <ViewGeneration id={id} />
          <OpenInPlayground generation={generation} />
        </>
      }
    >
      {error && <Failure error={error} />}
      {routes.length > 0 && (
        <Fact name={routes.length > 1 ? "Routes" : "Route"}>
          <span className="font-mono text-xs break-all">{routes.join(", ")}</span>
        </Fact>
      )}
      {usage && <Fact name="Tokens">{describeTokens(usage, number)}</Fact>}
      <Fact name="Cost">
        {completed_at === null ? "Not billed yet" : <Money euros={billed_cost ?? 0} exact />}{" "}
        <span className="text-soft">
          (reserved <Money euros={estimated_cost} exact />)
        </span>
      </Fact>
    </Details>
  );
}

/** Shows a rejected request's error in full, and its ID. */
export const RejectedDetails = ({ request }: { request: RejectedRequest }) => {
  const { method, path, status, code, message, request_id, generation_id } = request;
  return (
    <Details request={request} actions={generation_id && <ViewGeneration id={generation_id} />}>
      <Fact name="Request">
        <code className="font-mono text-xs break-all">
          {method} {path}
        </code>
      </Fact>
      <Fact name="Error">
        {status}{" "}
        <Link
          href={`/docs/hub/errors#${code}`}
          title="About this error"
          className="font-mono text-xs text-accent underline pointer-coarse:py-3"
        >
          {code}
        </Link>
      </Fact>
      <Fact name="Message">
        <span className="break-words">{message}</span>
      </Fact>
      <Fact name="Request ID">
        <span className="flex min-w-0 items-center">
          <code className="min-w-0 truncate font-mono text-xs" title={request_id}>
            {request_id}
          </code>
          <CopyButton text={request_id} label="Copy request ID" subject={request_id} iconOnly />
        </span>
      </Fact>
    </Details>
  );
};

function Failure({ error }: { error: NonNullable<ListedGeneration["error"]> }) {
  const { title, advice, message } = describeFailure(error, []);
  return (
    <Fact name="Error">
      {title} {message} {advice}
    </Fact>
  );
}

const ViewGeneration = ({ id }: { id: string }) => (
  <Button asChild>
    <Link href={`/generations/${id}`}>View generation</Link>
  </Button>
);

interface Props {
  request: ListedGeneration | RejectedRequest;
  /** Shown beside the facts, and above them on a phone. */
  aside?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}

const Details = ({ request: { key, created_at }, aside, actions, children }: Props) => (
  <div className="grid gap-4 rounded-lg bg-sunken p-4 whitespace-normal">
    <div className="grid grid-cols-[minmax(0,1fr)] gap-x-8 gap-y-4 md:grid-cols-[minmax(0,1fr)_16rem]">
      <dl className="grid content-start gap-2 text-sm">
        {children}
        <Fact name="Key">
          <KeyLink keyOfRequest={key} />
        </Fact>
        <Fact name="Received">
          <DateTime at={created_at} />
        </Fact>
      </dl>
      {aside && <div className="max-md:row-start-1">{aside}</div>}
    </div>
    {actions && <div className="flex flex-wrap gap-2">{actions}</div>}
  </div>
);

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className="grid grid-cols-[minmax(0,1fr)] gap-x-4 sm:grid-cols-[6rem_minmax(0,1fr)]">
    <dt className="text-soft">{name}</dt>
    <dd className="min-w-0">{children}</dd>
  </div>
);

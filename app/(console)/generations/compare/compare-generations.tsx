"use client";

import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "../../../trpc/client";
import { StatusBadge } from "../../../ui/badge";
import { Card } from "../../../ui/card";
import { BackLink, Link } from "../../../ui/link";
import { Money } from "../../../ui/money";
import { PageHeader } from "../../../ui/page-header";
import { Duration, TimeAgo } from "../../../ui/values";
import { ReplyText } from "../[id]/chat-reply";
import { describeFailure } from "../describe-failure";
import { OutputGrid } from "../outputs/output-grid";
import { OutputPlaceholder } from "../outputs/output-placeholder";
import type { GenerationDetail } from "../types";
import { pollUntilEnd } from "../poll-generations";
import { InputDiff } from "./input-diff";

interface Props {
  id: string;
  otherId: string;
}

/** Shows two generations side by side, the earlier one first, and how their inputs differ. */
export function CompareGenerations({ id, otherId }: Props) {
  const [one, other] = [useGeneration(id), useGeneration(otherId)];
  if (!one || !other) return null;
  const [before, after] = one.created_at <= other.created_at ? [one, other] : [other, one];
  const models = [...new Set([before.model, after.model])];
  return (
    <>
      <BackLink href={`/generations/${id}`}>Generation</BackLink>
      <PageHeader title="Compare generations">{models.join(" and ")}</PageHeader>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
        <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-6 md:grid-cols-[repeat(2,minmax(0,1fr))]">
          <Result title="Earlier" generation={before} />
          <Result title="Later" generation={after} />
        </div>
        <InputDiff before={before} after={after} />
      </div>
    </>
  );
}

/** Returns a generation, read again until it ends. */
const useGeneration = (id: string): GenerationDetail | undefined =>
  useQuery({
    ...useTRPC().generations.get.queryOptions({ id }),
    refetchInterval: ({ state }) => pollUntilEnd(state.data, false),
  }).data;

/** Shows what a generation made, its cost and how long it took. */
function Result({ title, generation }: { title: string; generation: GenerationDetail }) {
  const { id, status, created_at, started_at, completed_at, billed_cost, error, attempts } = generation;
  return (
    <Card title={title} action={<StatusBadge status={status} />}>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        {error && <p className="text-sm text-danger">{describeFailure(error, attempts).title}</p>}
        {completed_at === null && <OutputPlaceholder generation={generation} />}
        <OutputGrid generation={generation} />
        <ReplyText generation={generation} />
        <p className="flex flex-wrap justify-between gap-x-4 gap-y-1 text-sm text-soft">
          <span>
            <TimeAgo at={created_at} />
            {completed_at !== null && (
              <>
                {" · "}
                <Money euros={billed_cost ?? 0} />
              </>
            )}
            {started_at !== null && completed_at !== null && (
              <>
                {" · "}
                <Duration ms={Date.parse(completed_at) - Date.parse(started_at)} />
              </>
            )}
          </span>
          <Link
            href={`/generations/${id}`}
            aria-label={`View details of the ${title.toLowerCase()} generation`}
            className="text-accent underline"
          >
            View details
          </Link>
        </p>
      </div>
    </Card>
  );
}

"use client";

import { useQuery } from "@tanstack/react-query";
import { useDeferredValue } from "react";
import { eurosOf, usePrice } from "../../../code-samples/use-price";
import { Markdown } from "../../../markdown/markdown";
import { useTRPC } from "../../../trpc/client";
import { AccessError } from "../../../ui/access-error";
import { StatusBadge } from "../../../ui/badge";
import { Button } from "../../../ui/button";
import { Card } from "../../../ui/card";
import { Link } from "../../../ui/link";
import { Money } from "../../../ui/money";
import { PriceOnButton } from "../../../ui/price-on-button";
import { Duration } from "../../../ui/values";
import { ErrorDetails } from "../../generations/[id]/error-details";
import { GenerationProgress } from "../../generations/generation-progress";
import { OutputGrid } from "../../generations/outputs/output-grid";
import { OutputPlaceholder } from "../../generations/outputs/output-placeholder";
import type { GenerationDetail } from "../../generations/types";
import { useLiveGeneration } from "../../generations/use-live-generations";
import { pollUntilEnd } from "../../generations/poll-generations";
import { isExactPrice } from "../../models/exact-price";
import { PartialReply, StopButton } from "../chat/partial-reply";
import { ReplySpeed } from "../chat/reply-speed";
import type { Turn } from "../chat/turn";
import { type Entry, inputFor } from "./use-comparison";

interface Props {
  entry: Entry;
  onSendAgain: () => void;
  /** Stops the reply of a chat. */
  onStop: () => void;
}

/** Shows the result of a model, with its speed and cost. */
export function Contender({ entry, onSendAgain, onStop }: Props) {
  const { id, model, isSending, reply } = entry;
  const isLive = useLiveGeneration(id, true);
  const { data: generation } = useQuery({
    ...useTRPC().generations.get.queryOptions({ id: id ?? "" }),
    enabled: id !== undefined,
    refetchInterval: ({ state }) => pollUntilEnd(state.data, isLive.current),
  });
  const status = generation && (
    <span role="status">
      <StatusBadge status={generation.status} />
    </span>
  );
  return (
    <Card title={model.name} action={status}>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        {isSending ? <Sending entry={entry} onStop={onStop} /> : <Problem entry={entry} onSendAgain={onSendAgain} />}
        {reply && <Markdown text={reply.text} />}
        {generation && <MediaResult generation={generation} />}
        {generation && <Footer generation={generation} reply={reply} />}
      </div>
    </Card>
  );
}

/** Shows what has arrived of a reply, and stops it. */
function Sending({ entry, onStop }: Omit<Props, "onSendAgain">) {
  const { model, partialText = "", isStopped = false } = entry;
  // A text that grows is rendered when the browser has time for it.
  const text = useDeferredValue(partialText);
  return (
    <>
      <PartialReply text={text} label={`Waiting for ${model.name}`} />
      {model.is_llm && <StopButton isStopping={isStopped} onStop={onStop} />}
    </>
  );
}

/** Says that a request failed or was stopped, and sends it again if there is no reply. */
function Problem({ entry, onSendAgain }: Omit<Props, "onStop">) {
  const { error, isStopped, reply } = entry;
  if (!isStopped && error === undefined) return null;
  return (
    <>
      <AccessError error={error} />
      {isStopped && <p className="text-sm text-soft">Stopped.</p>}
      {!reply && <RetryButton entry={entry} onClick={onSendAgain} />}
    </>
  );
}

function RetryButton({ entry: { model, prompt }, onClick }: { entry: Entry; onClick: () => void }) {
  const price = usePrice(model.id, inputFor(model, prompt));
  return (
    <Button className="justify-self-start" onClick={onClick}>
      Try again
      <PriceOnButton euros={eurosOf(price)} isExact={isExactPrice(model)} />
    </Button>
  );
}

const MediaResult = ({ generation }: { generation: GenerationDetail }) =>
  !generation.is_llm && (
    <>
      <GenerationProgress generation={generation} />
      <ErrorDetails generation={generation} />
      {generation.completed_at === null && <OutputPlaceholder generation={generation} />}
      <OutputGrid generation={generation} />
    </>
  );

function Footer({ generation, reply }: { generation: GenerationDetail; reply: Turn | undefined }) {
  const { id, created_at, completed_at, billed_cost, estimated_cost } = generation;
  return (
    <p className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 border-t border-line pt-3 text-sm text-soft tabular-nums">
      <span>
        {completed_at === null ? "Reserved " : "Charged "}
        <Money euros={completed_at === null ? estimated_cost : (billed_cost ?? 0)} />
        {completed_at !== null && (
          <>
            {" · "}
            <Duration ms={Date.parse(completed_at) - Date.parse(created_at)} />
          </>
        )}
        {reply?.speed && reply.usage && (
          <>
            {" · "}
            <ReplySpeed speed={reply.speed} tokens={reply.usage.completion_tokens} />
          </>
        )}
      </span>
      <Link href={`/generations/${id}`} className="text-accent underline">
        View details
      </Link>
    </p>
  );
}

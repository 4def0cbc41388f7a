"use client";

import { useQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { Suspense, useState } from "react";
import { InputModel } from "../../parameters/character-field";
import { UploadLimit } from "../../parameters/files-field";
import { useTRPC } from "../../trpc/client";
import { Badge } from "../../ui/badge";
import { Button } from "../../ui/button";
import { errorsOf } from "../../ui/errors-of";
import { FilterSelect } from "../../ui/filter";
import { Notice } from "../../ui/notice";
import { PageHeader } from "../../ui/page-header";
import { Segments } from "../../ui/segments";
import { PageSkeleton } from "../../ui/skeleton";
import { Media } from "./media";
import { type InitialChat, emptyTurn } from "./turn";

// Loaded on demand, because most visitors use one of the two tabs. It has no fallback, so a chat's URL renders the chat at once.
const Chat = dynamic(() => import("./chat").then((module) => module.Chat));

interface Start {
  model: string;
  input: Record<string, unknown>;
  chat: InitialChat;
}

const empty = { input: {}, chat: { turns: [], draft: emptyTurn, settings: {} } };

interface Props {
  start: Start;
  base: string;
  /** The limit of one upload. */
  maxBytes: number;
}

const tabs = [
  { value: "media", label: "Generate" },
  { value: "chat", label: "Chat" },
] as const;

/** Tries models; runs cost the same as through the API. */
export function Playground({ start, base, maxBytes }: Props) {
  const trpc = useTRPC();
  const [id, setId] = useState(start.model);
  const { data: models = [] } = useQuery(trpc.models.list.queryOptions());
  const { data: model, error, refetch } = useQuery(trpc.models.get.queryOptions({ id }));
  const isChat = models.find((one) => one.id === id)?.is_llm ?? false;
  const { input, chat } = id === start.model ? start : empty;
  const sameKind = models.filter((one) => one.is_llm === isChat);
  const choose = (next: string) => {
    setId(next);
    window.history.replaceState(null, "", `/playground?model=${encodeURIComponent(next)}`);
  };
  const change = (tab: "media" | "chat") => {
    const first = models.find((one) => one.is_llm === (tab === "chat"));
    if (first) choose(first.id);
  };
  const form = !model ? (
    <ModelPlaceholder error={error} onAgain={() => void refetch()} />
  ) : model.is_llm ? (
    <Chat key={id} model={model} base={base} initialChat={chat} />
  ) : (
    <InputModel value={id}>
      <Media key={id} model={model} base={base} input={input} />
    </InputModel>
  );
  return (
    <>
      <PageHeader title="Playground">Try any model. Runs cost the same as through the API.</PageHeader>
      <div className="mb-6 flex flex-wrap items-center gap-x-4 gap-y-3">
        {sameKind.length < models.length && (
          <Segments label="Kind" options={tabs} value={isChat ? "chat" : "media"} onChange={change} />
        )}
        <FilterSelect label="Model" value={id} onChange={(event) => choose(event.target.value)}>
          {sameKind.map((one) => (
            <option key={one.id} value={one.id}>
              {one.name}
            </option>
          ))}
        </FilterSelect>
        {model?.available === false && <Badge tone="warning">Unavailable: no provider is serving this model</Badge>}
      </div>
      <UploadLimit value={maxBytes}>
        {/* Only what is chosen here may have to be fetched. */}
        {id === start.model ? form : <Suspense fallback={<PageSkeleton />}>{form}</Suspense>}
      </UploadLimit>
    </>
  );
}

const ModelPlaceholder = ({ error, onAgain }: { error: unknown; onAgain: () => void }) =>
  error ? (
    <Notice title="The model could not be loaded" action={<Button onClick={onAgain}>Try again</Button>}>
      {errorsOf(error)!.message}
    </Notice>
  ) : (
    <PageSkeleton />
  );

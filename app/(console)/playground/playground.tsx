"use client";

import { useQuery } from "@tanstack/react-query";
import { Columns2 } from "lucide-react";
import dynamic from "next/dynamic";
import { Suspense, useEffect, useState } from "react";
import { InputModel } from "../../parameters/character-field";
import { UploadLimit } from "../../parameters/files-field";
import { addRecentModel, storeRecentModels } from "../../storage/recent-models";
import { StorageAccount } from "../../storage/use-draft";
import { useTRPC } from "../../trpc/client";
import { Badge } from "../../ui/badge";
import { Button } from "../../ui/button";
import { errorsOf } from "../../ui/errors-of";
import { Link } from "../../ui/link";
import { Notice } from "../../ui/notice";
import { PageHeader } from "../../ui/page-header";
import { partNotLoaded } from "../../ui/part-not-loaded";
import { Segments } from "../../ui/segments";
import { PageSkeleton } from "../../ui/skeleton";
import { emptyTurn, type InitialChat } from "./chat/turn";
import { Media } from "./media";
import { ModelPicker } from "./model-picker/model-picker";

// Loaded on demand, because most visitors use one of the two tabs. It has no fallback, so a chat's URL renders the chat at once.
const Chat = dynamic(() => import("./chat/chat").then((module) => module.Chat, partNotLoaded));

export interface Start {
  model: string;
  input: Record<string, unknown>;
  chat: InitialChat;
  /** Whether the input comes from a link. */
  isPrefilled: boolean;
}

const empty = { input: {}, chat: { turns: [], draft: emptyTurn, settings: {} }, isPrefilled: false };

interface Props {
  start: Start;
  /** The models that were used in this browser, the newest first. */
  recentModels: string[];
  accountId: number;
  base: string;
  /** The limit of one upload. */
  maxBytes: number;
}

const tabs = [
  { value: "media", label: "Generate" },
  { value: "chat", label: "Chat" },
] as const;

/** Tries models; runs cost the same as through the API. */
export function Playground({ start, recentModels, accountId, base, maxBytes }: Props) {
  const { id, model, error, refetch, sameKind, hasBothKinds, isChat, choose, chooseKind, isStart } = useModelChoice(
    start,
    recentModels,
    accountId,
  );
  const { input, chat, isPrefilled } = isStart ? start : empty;
  const form = !model ? (
    <ModelPlaceholder error={error} onAgain={() => void refetch()} />
  ) : model.is_llm ? (
    <Chat key={id} model={model} base={base} initialChat={chat} isPrefilled={isPrefilled} onChooseModel={choose} />
  ) : (
    <InputModel value={id}>
      <Media key={id} model={model} base={base} input={input} isPrefilled={isPrefilled} />
    </InputModel>
  );
  return (
    <StorageAccount value={accountId}>
      <PageHeader title="Playground" action={<CompareLink model={id} />}>
        Try any model. Runs cost the same as through the API.
      </PageHeader>
      <div className="mb-6 flex flex-wrap items-center gap-x-4 gap-y-3">
        {hasBothKinds && (
          <Segments label="Kind" options={tabs} value={isChat ? "chat" : "media"} onChange={chooseKind} />
        )}
        <ModelPicker models={sameKind} value={id} onChoose={choose} />
        {model?.available === false && <Badge tone="warning">Unavailable: no provider is serving this model</Badge>}
      </div>
      <UploadLimit value={maxBytes}>
        {/* Only a model chosen on this page may have to be fetched. */}
        {id === start.model ? form : <Suspense fallback={<PageSkeleton />}>{form}</Suspense>}
      </UploadLimit>
    </StorageAccount>
  );
}

const CompareLink = ({ model }: { model: string }) => (
  <Button asChild>
    <Link href={`/playground/compare?model=${encodeURIComponent(model)}`}>
      <Columns2 size={16} aria-hidden />
      Compare models
    </Link>
  </Button>
);

const ModelPlaceholder = ({ error, onAgain }: { error: unknown; onAgain: () => void }) =>
  error ? (
    <Notice title="The model could not be loaded" action={<Button onClick={onAgain}>Try again</Button>}>
      {errorsOf(error)!.message}
    </Notice>
  ) : (
    <PageSkeleton />
  );

const showInUrl = (model: string) =>
  window.history.replaceState(null, "", `/playground?model=${encodeURIComponent(model)}`);

/** Manages which model is chosen, in the URL and in the list of recent models. */
function useModelChoice(start: { model: string; isPrefilled: boolean }, recentModels: string[], accountId: number) {
  const trpc = useTRPC();
  const [chosen, setChosen] = useState({ id: start.model, isStart: true });
  const [recent, setRecent] = useState(() => addRecentModel(recentModels, start.model));
  const { id, isStart } = chosen;
  const { data: offered = [] } = useQuery(trpc.models.list.queryOptions());
  const models = offered.filter(({ output_modalities }) => !output_modalities.includes("embedding"));
  const { data: model, error, refetch } = useQuery(trpc.models.get.queryOptions({ id }));
  const isChat = models.find((one) => one.id === id)?.is_llm ?? false;
  const sameKind = models.filter((one) => one.is_llm === isChat);
  useEffect(() => storeRecentModels(accountId, recent), [accountId, recent]);
  // From here on the draft has the input, so that a reload shows later changes and not the link again.
  useEffect(() => {
    if (start.isPrefilled) showInUrl(start.model);
  }, [start]);
  const choose = (next: string) => {
    setChosen({ id: next, isStart: false });
    setRecent((all) => addRecentModel(all, next));
    showInUrl(next);
  };
  const chooseKind = (kind: "media" | "chat") => {
    const ids = models.filter((one) => one.is_llm === (kind === "chat")).map((one) => one.id);
    const next = recent.find((one) => ids.includes(one)) ?? ids[0];
    if (next !== undefined) choose(next);
  };
  const hasBothKinds = sameKind.length < models.length;
  return { id, isStart, model, error, refetch, sameKind, hasBothKinds, isChat, choose, chooseKind };
}

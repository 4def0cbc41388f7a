"use client";

import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { addRecentModel, storeRecentModels } from "../../storage/recent-models";
import { useTRPC } from "../../trpc/client";

const showInUrl = (model: string) =>
  window.history.replaceState(null, "", `/playground?model=${encodeURIComponent(model)}`);

/** Keeps which model is chosen, in the URL and as the last one that was used. */
export function useModelChoice(
  start: { model: string; isPrefilled: boolean },
  recentModels: string[],
  accountId: number,
) {
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

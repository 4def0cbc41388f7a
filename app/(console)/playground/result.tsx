"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Image } from "lucide-react";
import dynamic from "next/dynamic";
import { useEffect } from "react";
import { useTRPC } from "../../trpc/client";
import { Card } from "../../ui/card";
import { Notice } from "../../ui/notice";

const EVERY_MS = 1_000;
// There is none before the first run.
const Made = dynamic(() => import("./made").then((module) => module.Made));

/** What became of a run, kept up to date until it has ended. */
export function Result({ id }: { id: string | undefined }) {
  const trpc = useTRPC();
  const client = useQueryClient();
  const { data: generation } = useQuery({
    ...trpc.generations.get.queryOptions({ id: id ?? "" }),
    enabled: id !== undefined,
    refetchInterval: ({ state }) => (state.data?.completed_at ? false : EVERY_MS),
  });
  const { status } = generation ?? {};
  // Holds and charges move what is available.
  useEffect(() => {
    if (status) void client.invalidateQueries(trpc.account.get.queryFilter());
  }, [status, client, trpc]);
  if (!generation) {
    return (
      <Card title="Result">
        <Notice title={id ? "Sending…" : "No result yet"} icon={<Image size={20} />}>
          Results appear here and are saved in Files.
        </Notice>
      </Card>
    );
  }
  return <Made generation={generation} />;
}

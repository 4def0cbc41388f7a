import { useQueryClient } from "@tanstack/react-query";
import { useTRPC } from "../../trpc/client";
import { useAccess } from "../../ui/access-context";
import { useEventStream } from "../../trpc/use-event-stream";

/**
 * Fetches a generation again at each of its changes while it is active, but not in a view, which has no streams. Returns
 * whether it is followed live.
 */
export function useLiveGeneration(id: string | undefined, isActive: boolean) {
  const trpc = useTRPC();
  const client = useQueryClient();
  const { isViewing } = useAccess();
  const path = id !== undefined && isActive && !isViewing ? `/api/v1/hub/generations/${id}/events` : null;
  return useEventStream(path, () => {
    void client.invalidateQueries(trpc.generations.get.queryFilter({ id }));
  });
}

/**
 * Fetches the lists of generations, batches and requests again when a generation of the account changes. Returns whether
 * they are followed live.
 */
export function useLiveGenerations() {
  const trpc = useTRPC();
  const client = useQueryClient();
  const { isViewing } = useAccess();
  return useEventStream(isViewing ? null : "/api/v1/hub/events/stream?webhooks=false", () => {
    void client.invalidateQueries(trpc.generations.list.queryFilter());
    void client.invalidateQueries(trpc.generations.recent.queryFilter());
    void client.invalidateQueries(trpc.batches.pathFilter());
    void client.invalidateQueries(trpc.requests.list.queryFilter());
  });
}

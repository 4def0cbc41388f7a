"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Star } from "lucide-react";
import { useTRPC } from "../../../trpc/client";
import { useHubMutation } from "../../../trpc/use-hub-mutation";
import { usePermission } from "../../../ui/access-context";
import { Button } from "../../../ui/button";

/** Returns whether a generation is a favourite of the account. */
export function useIsFavourite(id: string): boolean {
  const { data } = useQuery({ ...useTRPC().collections.favourites.queryOptions(), select: (ids) => ids.includes(id) });
  return data ?? false;
}

interface Props {
  id: string;
  /** What the generation is called on this page. */
  title: string;
}

/** Renders a star that makes a generation a favourite of the account, or no longer. */
export function StarButton({ id, title }: Props) {
  const trpc = useTRPC();
  const client = useQueryClient();
  const isFavourite = useIsFavourite(id);
  const mayChange = usePermission("develop");
  const set = useHubMutation((trpc) => trpc.collections.setItems, {
    invalidates: (trpc) => [trpc.collections.favourites.queryFilter(), trpc.collections.items.pathFilter()],
  });
  const toggle = () => {
    // Shown at once; the list that is read afterwards says whether it was stored.
    client.setQueryData(trpc.collections.favourites.queryKey(), (ids = []) =>
      isFavourite ? ids.filter((one) => one !== id) : [...ids, id],
    );
    set.mutate({ collection: null, ids: [id], isIn: !isFavourite });
  };
  if (!mayChange) return null;
  return (
    <Button
      kind="ghost"
      aria-pressed={isFavourite}
      aria-label={`Favourite: ${title}`}
      title={isFavourite ? "Remove from favourites" : "Add to favourites"}
      onClick={toggle}
      className="px-2"
    >
      <Star size={16} aria-hidden className={isFavourite ? "fill-current text-accent" : ""} />
    </Button>
  );
}

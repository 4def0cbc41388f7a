"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Star } from "lucide-react";
import { useTRPC } from "../../../trpc/client";
import { Card } from "../../../ui/card";
import { NotLoaded } from "../../../ui/not-loaded";
import { Notice } from "../../../ui/notice";
import { Pager } from "../../../ui/pager";
import { usePageInUrl } from "../../../ui/use-page-in-url";
import { GenerationGrid } from "../generation-grid";
import { GenerationTable } from "../generation-table";
import type { View } from "../view";

/** Lists the favourites of the account, newest first. */
export function Favourites({ view }: { view: View }) {
  const pager = usePageInUrl();
  const query = useQuery({
    ...useTRPC().collections.items.queryOptions({ collection: null, cursor: pager.cursor }),
    placeholderData: keepPreviousData,
  });
  const { data } = query;
  const Rows = view === "grid" ? GenerationGrid : GenerationTable;
  return (
    <Card flush title="Favourites">
      {!data ? (
        <NotLoaded what="The list" query={query} />
      ) : data.data.length > 0 ? (
        <Rows generations={data.data} />
      ) : (
        <Notice heading="h3" title="No favourites yet" icon={<Star size={20} />}>
          Star a result to find it here again.
        </Notice>
      )}
      <Pager pager={pager} next={data?.next_cursor} />
    </Card>
  );
}

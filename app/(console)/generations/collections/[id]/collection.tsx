"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { FolderHeart } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { useTRPC } from "../../../../trpc/client";
import { useHubMutation } from "../../../../trpc/use-hub-mutation";
import { Button } from "../../../../ui/button";
import { Card } from "../../../../ui/card";
import { ConfirmedButton, Dialog } from "../../../../ui/dialog";
import { BackLink } from "../../../../ui/link";
import { NotLoaded } from "../../../../ui/not-loaded";
import { Notice } from "../../../../ui/notice";
import { PageHeader } from "../../../../ui/page-header";
import { Pager } from "../../../../ui/pager";
import { type Selection, SelectionBar, useSelection } from "../../../../ui/selection";
import { usePageInUrl } from "../../../../ui/use-page-in-url";
import { GenerationGrid } from "../../generation-grid";
import { NameForm } from "../name-form";

/** Shows the generations of a collection as a grid, newest first. */
export function Collection({ id }: { id: string }) {
  const trpc = useTRPC();
  const pager = usePageInUrl();
  const { data: collection } = useQuery(trpc.collections.get.queryOptions({ id }));
  const query = useQuery({
    ...trpc.collections.items.queryOptions({ collection: id, cursor: pager.cursor }),
    placeholderData: keepPreviousData,
  });
  const generations = query.data?.data ?? [];
  const selection = useSelection(generations.map((one) => one.id));
  if (!collection) return null;
  return (
    <>
      <BackLink href="/generations/collections">Collections</BackLink>
      <PageHeader title={collection.name} action={<HeaderActions {...collection} />} />
      <Card flush title="Generations">
        {!query.data ? (
          <NotLoaded what="The collection" query={query} />
        ) : generations.length > 0 ? (
          <>
            <RemoveSelected collection={id} selection={selection} />
            <GenerationGrid generations={generations} selection={selection} />
          </>
        ) : (
          <Notice heading="h3" title="Nothing here yet" icon={<FolderHeart size={20} />}>
            Choose “Add to collection” for generations in the list or beside a result.
          </Notice>
        )}
        <Pager pager={pager} next={query.data?.next_cursor} />
      </Card>
    </>
  );
}

function RemoveSelected({ collection, selection }: { collection: string; selection: Selection }) {
  const remove = useHubMutation((trpc) => trpc.collections.setItems, {
    invalidates: (trpc) => [trpc.collections.pathFilter()],
    successToast: (_, { ids }) => (ids.length === 1 ? "Removed." : `Removed ${ids.length} generations.`),
    onSuccess: selection.clear,
  });
  return (
    <SelectionBar selection={selection} noun="generations">
      <Button
        needs="develop"
        busy={remove.isPending}
        onClick={() => remove.mutate({ collection, ids: selection.ids, isIn: false })}
      >
        Remove<span className="max-sm:sr-only"> from collection</span>
      </Button>
    </SelectionBar>
  );
}

function HeaderActions({ id, name }: { id: string; name: string }) {
  const router = useRouter();
  const [isRenaming, setRenaming] = useState(false);
  const rename = useHubMutation((trpc) => trpc.collections.rename, {
    invalidates: (trpc) => [trpc.collections.list.pathFilter(), trpc.collections.get.queryFilter({ id })],
    showsError: true,
    successToast: "Collection renamed.",
    onSuccess: () => setRenaming(false),
  });
  const remove = useHubMutation((trpc) => trpc.collections.delete, {
    invalidates: (trpc) => [trpc.collections.list.pathFilter()],
    successToast: "Collection deleted.",
    onSuccess: () => router.push("/generations/collections"),
  });
  return (
    <div className="flex flex-wrap gap-2">
      <Button needs="develop" onClick={() => setRenaming(true)}>
        Rename
      </Button>
      <ConfirmedButton
        needs="develop"
        busy={remove.isPending}
        title={`Delete ${name}?`}
        verb="Delete collection"
        question="Its generations stay in your list. This can’t be undone."
        onConfirm={() => remove.mutate({ id })}
      >
        Delete
      </ConfirmedButton>
      <Dialog open={isRenaming} onOpenChange={setRenaming} title="Rename the collection">
        <NameForm
          name={name}
          verb="Rename"
          busy={rename.isPending}
          error={rename.error}
          onSubmit={(next) => rename.mutate({ id, name: next })}
        />
      </Dialog>
    </div>
  );
}

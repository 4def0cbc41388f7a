"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTRPC } from "../../../trpc/client";
import { useHubMutation } from "../../../trpc/use-hub-mutation";
import { Dialog } from "../../../ui/dialog";
import { CheckField } from "../../../ui/form";
import { NewCollection } from "./new-collection";

interface Props {
  ids: string[];
  onClose: () => void;
}

/** Lists the collections, checked if they contain the generations, and creates another one with them. */
export function CollectDialog({ ids, onClose }: Props) {
  const { data: collections = [], isLoading } = useQuery(useTRPC().collections.list.queryOptions({ ids }));
  const set = useHubMutation((trpc) => trpc.collections.setItems, {
    invalidates: (trpc) => [trpc.collections.pathFilter()],
  });
  // Shows the choice at once, and takes it back if it could not be saved.
  const [changes, setChanges] = useState<ReadonlyMap<string, boolean>>(new Map());
  const change = (collection: string, isIn: boolean) => {
    setChanges((before) => new Map(before).set(collection, isIn));
    set.mutate(
      { collection, ids, isIn },
      { onError: () => setChanges((before) => new Map([...before].filter(([id]) => id !== collection))) },
    );
  };
  // A list that came later would move the buttons of an open dialog.
  if (isLoading) return null;
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={ids.length === 1 ? "Add to collections" : `Add ${ids.length} generations to collections`}
    >
      <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
        {collections.length > 0 && (
          <fieldset className="grid max-h-64 gap-3 overflow-y-auto p-1">
            <legend className="sr-only">Collections</legend>
            {collections.map(({ id, name, chosen }) => (
              <CheckField
                key={id}
                label={name}
                hint={chosen > 0 && chosen < ids.length ? `Contains ${chosen} of these ${ids.length}.` : undefined}
                checked={changes.get(id) ?? chosen === ids.length}
                onChange={({ target }) => change(id, target.checked)}
              />
            ))}
          </fieldset>
        )}
        <NewCollection onCreated={(id) => change(id, true)} />
      </div>
    </Dialog>
  );
}

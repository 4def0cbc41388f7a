"use client";

import { useHubMutation } from "../../../trpc/use-hub-mutation";
import { NameForm } from "./name-form";

/** Creates a collection. `onCreated` receives its id. */
export function NewCollection({ onCreated }: { onCreated: (id: string) => void }) {
  const create = useHubMutation((trpc) => trpc.collections.create, {
    invalidates: (trpc) => [trpc.collections.list.pathFilter()],
    showsError: true,
    successToast: (_, { name }) => `Collection ${name.trim()} created.`,
    onSuccess: ({ id }) => onCreated(id),
  });
  return (
    <NameForm
      verb="Create collection"
      busy={create.isPending}
      error={create.error}
      onSubmit={(name) => create.mutate({ name })}
    />
  );
}

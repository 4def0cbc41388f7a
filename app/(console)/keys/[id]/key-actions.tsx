"use client";

import { Pause, Play } from "lucide-react";
import { useState } from "react";
import { useHubMutation } from "../../../trpc/use-hub-mutation";
import { Button } from "../../../ui/button";
import { errorsOf } from "../../../ui/errors-of";
import { Form, FormError, readText, SelectField } from "../../../ui/form";
import { SecretDialog } from "../../../ui/secret-dialog";
import { RevokeKey } from "../revoke-key";
import { TestKey } from "../test-key";
import type { Key } from "../types";

/** Offers the actions on a key that is not revoked. */
export const KeyActions = ({ apiKey }: { apiKey: Key }) => (
  <div className="flex flex-wrap gap-2">
    <PauseKey apiKey={apiKey} />
    <RotateKey apiKey={apiKey} />
    <RevokeKey apiKey={apiKey} />
  </div>
);

function PauseKey({ apiKey: { id, paused_at } }: { apiKey: Key }) {
  const isPaused = paused_at !== null;
  const update = useHubMutation((trpc) => trpc.keys.update, {
    invalidates: (trpc) => [trpc.keys.pathFilter()],
    successToast: (key) =>
      key.paused_at ? "Key paused. Its requests are rejected until you resume it." : "Key resumed.",
  });
  const Icon = isPaused ? Play : Pause;
  return (
    <Button
      needs="develop"
      kind={isPaused ? "primary" : "quiet"}
      busy={update.isPending}
      onClick={() => update.mutate({ id, paused: !isPaused })}
    >
      <Icon size={16} aria-hidden />
      {isPaused ? "Resume" : "Pause"}
    </Button>
  );
}

/** Gives a key a new secret, which is shown once. */
function RotateKey({ apiKey: { id, name, prefix } }: { apiKey: Key }) {
  const [isOpen, setOpen] = useState(false);
  const rotate = useHubMutation((trpc) => trpc.keys.rotate, {
    invalidates: (trpc) => [trpc.keys.pathFilter()],
    showsError: true,
  });
  const submit = (fields: FormData) =>
    rotate.mutate({ id, grace_hours: Number(readText(fields, "grace")) as 0 | 1 | 24 });
  return (
    <>
      <Button needs="develop" onClick={() => setOpen(true)}>
        Rotate secret
      </Button>
      <SecretDialog
        open={isOpen}
        onOpenChange={setOpen}
        create={rotate}
        title={`Rotate the secret of “${name}”`}
        kind="key"
        reveal={({ key }) => ({ title: "New secret", secret: key, details: <TestKey secret={key} /> })}
      >
        <Form onSubmit={submit} error={rotate.error}>
          <p className="text-sm leading-6 text-soft">
            Creates a new secret, shown once. The key keeps its name, limit and spend, and is yours from then on.
          </p>
          <SelectField name="grace" label={`${prefix}… stays valid`} defaultValue="24">
            <option value="24">For 24 hours</option>
            <option value="1">For 1 hour</option>
            <option value="0">No longer: apps using it stop working immediately</option>
          </SelectField>
          <FormError>{errorsOf(rotate.error)?.message}</FormError>
          <Button kind="primary" type="submit" busy={rotate.isPending}>
            Rotate secret
          </Button>
        </Form>
      </SecretDialog>
    </>
  );
}

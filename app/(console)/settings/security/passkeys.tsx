"use client";

import { useState } from "react";
import { AddPasskey } from "../../../factors/add-passkey";
import type { Outputs } from "../../../trpc/outputs";
import { useHubMutation } from "../../../trpc/use-hub-mutation";
import { Button } from "../../../ui/button";
import { Card } from "../../../ui/card";
import { ConfirmedButton, Dialog } from "../../../ui/dialog";
import { Form, readText, TextField } from "../../../ui/form";
import { TimeAgo } from "../../../ui/values";

type Passkey = Outputs["factors"]["list"]["passkeys"][number];

interface Props {
  passkeys: Passkey[];
  /** Receives the recovery codes of a person who had none. */
  onAdded: (codes: string[] | null) => void;
}

/** Lists the person's passkeys, and adds, renames and removes them. */
export function Passkeys({ passkeys, onAdded }: Props) {
  const [isAdding, setAdding] = useState(false);
  return (
    <Card title="Passkeys" flush action={<Button onClick={() => setAdding(true)}>Add a passkey</Button>}>
      {passkeys.length === 0 ? (
        <p className="p-5 text-sm leading-6 text-soft">
          No passkeys yet. A passkey is stored on your device, in your password manager or on a security key, and can’t
          be phished.
        </p>
      ) : (
        <ul>
          {passkeys.map((passkey) => (
            <PasskeyRow key={passkey.id} passkey={passkey} />
          ))}
        </ul>
      )}
      <Dialog
        open={isAdding}
        onOpenChange={setAdding}
        title="Add a passkey"
        description="Your browser asks where to store it."
      >
        <AddPasskey
          onAdded={(codes) => {
            setAdding(false);
            onAdded(codes);
          }}
        />
      </Dialog>
    </Card>
  );
}

function PasskeyRow({ passkey }: { passkey: Passkey }) {
  const { id, name, created_at, last_used_at } = passkey;
  const remove = useHubMutation((trpc) => trpc.factors.removePasskey, {
    invalidates: (trpc) => [trpc.factors.list.queryFilter()],
    successToast: "Passkey removed.",
  });
  return (
    <li className="flex flex-wrap items-center justify-between gap-3 border-b border-line px-5 py-3 last:border-0">
      <div className="min-w-0">
        <span className="block text-sm font-medium wrap-anywhere">{name}</span>
        <span className="text-xs text-soft">
          Added <TimeAgo at={created_at} />
          {last_used_at && (
            <>
              {" · last used "}
              <TimeAgo at={last_used_at} />
            </>
          )}
        </span>
      </div>
      <div className="flex gap-2">
        <RenamePasskey passkey={passkey} />
        <ConfirmedButton
          label={`Remove ${name}`}
          busy={remove.isPending}
          title={`Remove ${name}?`}
          verb="Remove"
          question="You can no longer sign in with it. Delete it on your device as well."
          onConfirm={() => remove.mutate({ id })}
        >
          Remove
        </ConfirmedButton>
      </div>
    </li>
  );
}

function RenamePasskey({ passkey: { id, name } }: { passkey: Passkey }) {
  const [isOpen, setOpen] = useState(false);
  const rename = useHubMutation((trpc) => trpc.factors.renamePasskey, {
    invalidates: (trpc) => [trpc.factors.list.queryFilter()],
    onSuccess: () => setOpen(false),
  });
  return (
    <>
      <Button aria-label={`Rename ${name}`} onClick={() => setOpen(true)}>
        Rename
      </Button>
      <Dialog open={isOpen} onOpenChange={setOpen} title={`Rename ${name}`}>
        <Form onSubmit={(fields) => rename.mutate({ id, name: readText(fields, "name") })} error={rename.error}>
          <TextField
            name="name"
            label="Name"
            defaultValue={name}
            required
            maxLength={60}
            data-missing="Enter a name."
          />
          <Button kind="primary" type="submit" busy={rename.isPending}>
            Rename
          </Button>
        </Form>
      </Dialog>
    </>
  );
}

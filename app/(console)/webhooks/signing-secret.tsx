"use client";

import { useHubMutation } from "../../trpc/use-hub-mutation";
import { Button } from "../../ui/button";
import { Card } from "../../ui/card";
import { CopyButton } from "../../ui/copy-button";
import { Dialog } from "../../ui/dialog";
import { Link } from "../../ui/link";
import { RotateSecret } from "./rotate-secret";

/** Offers the secret that signs the webhooks which generations name themselves. */
export function SigningSecret() {
  const rotate = useHubMutation((trpc) => trpc.webhooks.rotateSigningSecret, {});
  return (
    <Card
      title="Signing secret"
      action={
        <span className="flex flex-wrap gap-2">
          <ShowSecret />
          <RotateSecret rotation={rotate} onConfirm={() => rotate.mutate()} />
        </span>
      }
    >
      <p className="text-sm text-soft">
        Signs the{" "}
        <Link href="/docs/webhooks" className="text-accent underline">
          webhooks
        </Link>{" "}
        that a generation names in its own request (<code className="font-mono">webhook</code>).
      </p>
    </Card>
  );
}

function ShowSecret() {
  const show = useHubMutation((trpc) => trpc.webhooks.showSigningSecret, {});
  const secret = show.data?.secret ?? "";
  return (
    <>
      <Button needs="develop" busy={show.isPending} onClick={() => show.mutate()}>
        Show secret
      </Button>
      <Dialog
        open={show.data !== undefined}
        onOpenChange={() => show.reset()}
        title="Signing secret"
        description="Use this secret to verify events."
      >
        <div className="grid gap-4">
          <code
            tabIndex={0}
            aria-label="Signing secret"
            className="rounded-lg border border-line bg-sunken px-3 py-2.5 font-mono text-sm break-all select-all"
          >
            {secret}
          </code>
          <div className="flex flex-wrap justify-end gap-2">
            <CopyButton text={secret} label="Copy secret" kind="primary" focusOnMount />
            <Button onClick={() => show.reset()}>Done</Button>
          </div>
        </div>
      </Dialog>
    </>
  );
}

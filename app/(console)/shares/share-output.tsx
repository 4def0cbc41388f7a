"use client";

import { Share2 } from "lucide-react";
import { useState } from "react";
import { useHubMutation } from "../../trpc/use-hub-mutation";
import { useAccess } from "../../ui/access-context";
import { Button, type ButtonKind } from "../../ui/button";
import { errorsOf } from "../../ui/errors-of";
import { CheckField, Form, FormError, readText, SelectField } from "../../ui/form";
import { SecretDialog } from "../../ui/secret-dialog";
import { DateTime } from "../../ui/values";

interface Props {
  /** The URL of the output. */
  url: string;
  /** Names the output for screen readers. */
  subject: string;
  /** Hides the label visually: always, or on phones only. */
  iconOnly?: boolean | "phone";
}

const styles = {
  always: { kind: "ghost", button: "px-2", label: "sr-only" },
  phone: { kind: "quiet", button: "max-sm:px-2", label: "max-sm:sr-only" },
  never: { kind: "quiet", button: "", label: "" },
} satisfies Record<string, { kind: ButtonKind; button: string; label: string }>;

/** Renders a button that creates a link to an output for people without an account; nothing where sharing is off. */
export function ShareOutput({ url, subject, iconOnly = false }: Props) {
  const { canShare } = useAccess();
  const [isOpen, setOpen] = useState(false);
  if (!canShare) return null;
  const style = styles[iconOnly === "phone" ? "phone" : iconOnly ? "always" : "never"];
  return (
    <>
      <Button needs="develop" kind={style.kind} className={style.button} title="Share" onClick={() => setOpen(true)}>
        <Share2 size={16} aria-hidden />
        <span className={style.label}>Share</span>
        <span className="sr-only"> {subject}</span>
      </Button>
      {isOpen && <ShareDialog fileId={url.split("/").at(-1)!} onClose={() => setOpen(false)} />}
    </>
  );
}

interface DialogProps {
  fileId: string;
  onClose: () => void;
}

function ShareDialog({ fileId, onClose }: DialogProps) {
  const create = useHubMutation((trpc) => trpc.shares.create, {
    invalidates: (trpc) => [trpc.shares.pathFilter()],
    showsError: true,
  });
  const onSubmit = (fields: FormData) =>
    create.mutate({
      file_id: fileId,
      days: Number(readText(fields, "days")) as 1 | 7 | 30,
      shows_prompt: fields.has("shows_prompt"),
    });
  return (
    <SecretDialog
      open
      onOpenChange={onClose}
      create={create}
      title="Share this output"
      description="Anyone with the link can see and download it without signing in. You can revoke it in Files."
      kind="link"
      reveal={({ url, expires_at }) => ({
        title: "Your share link",
        secret: url,
        details: (
          <p className="text-sm leading-6">
            It works until <DateTime at={expires_at} />.
          </p>
        ),
      })}
    >
      <Form onSubmit={onSubmit} error={create.error}>
        <SelectField name="days" label="Works for" defaultValue="7" hint="It ends earlier if the file expires first.">
          <option value="1">1 day</option>
          <option value="7">7 days</option>
          <option value="30">30 days</option>
        </SelectField>
        <CheckField name="shows_prompt" label="Show the prompt" hint="The page always shows the model." />
        <FormError>{errorsOf(create.error)?.message}</FormError>
        <Button kind="primary" type="submit" busy={create.isPending}>
          Create link
        </Button>
      </Form>
    </SecretDialog>
  );
}

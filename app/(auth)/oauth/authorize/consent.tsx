"use client";

import { useMutation } from "@tanstack/react-query";
import { useTRPC } from "../../../trpc/client";
import { Button } from "../../../ui/button";
import { errorsOf } from "../../../ui/errors-of";
import { Form, FormError, readText, TextField } from "../../../ui/form";
import { useFormats } from "../../../ui/formats-context";

const DEFAULT_LIMIT = 5;
const MIN_LIMIT = 0.01;
const MAX_LIMIT = 10_000;

interface Props {
  /** Sent back to the hub if the person agrees. */
  question: string;
  /** The app's name. */
  name: string;
  cancelUrl: string;
  /** EUR. */
  available: number;
  expiresAt: string;
}

/** Renders the form that allows the app to spend, up to the amount that the person enters. */
export function Consent({ question, name, cancelUrl, available, expiresAt }: Props) {
  const trpc = useTRPC();
  const formats = useFormats();
  // The script navigates instead of a form, because the page's policy keeps forms from redirecting to other sites.
  const allow = useMutation(
    trpc.connections.allow.mutationOptions({ onSuccess: ({ redirect_to }) => window.location.assign(redirect_to) }),
  );
  const errors = errorsOf(allow.error);
  const submit = (fields: FormData) => allow.mutate({ question, spend_limit: Number(readText(fields, "spend_limit")) });
  if (allow.isSuccess)
    return (
      <p role="status" className="text-sm leading-6">
        {name} is connected. You can close this page.
      </p>
    );
  return (
    <Form onSubmit={submit} error={allow.error}>
      <div className="grid gap-2 border-t border-line pt-4 text-sm leading-6">
        <p>It will be able to:</p>
        <ul className="list-disc pl-5">
          <li>generate with every model, paid from your balance</li>
          <li>upload files, and see what it uploaded or generated itself</li>
          <li>see your balance</li>
        </ul>
        <p className="text-soft">It can’t see your other generations, files or keys.</p>
      </div>
      <TextField
        name="spend_limit"
        label="Spend limit (EUR)"
        type="number"
        inputMode="decimal"
        required
        data-missing="Enter a spend limit."
        min={MIN_LIMIT}
        max={MAX_LIMIT}
        step="any"
        defaultValue={DEFAULT_LIMIT}
        hint={`The most that this app can spend in total. ${formats.euros(available, 2, 2)} available.`}
        error={errors?.field("spend_limit", "The limit")}
      />
      <p className="text-sm leading-6">
        Access ends after seven days, on <span suppressHydrationWarning>{formats.dateTime(expiresAt)}</span>. You can
        end it earlier in Settings.
      </p>
      <FormError>{errors?.messageUnlessAt("spend_limit")}</FormError>
      <div className="grid gap-2">
        <Button kind="primary" type="submit" busy={allow.isPending}>
          Allow
        </Button>
        <Button asChild>
          <a href={cancelUrl}>Cancel</a>
        </Button>
      </div>
    </Form>
  );
}

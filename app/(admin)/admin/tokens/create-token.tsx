"use client";

import { useHubMutation } from "../../../trpc/use-hub-mutation";
import { Button } from "../../../ui/button";
import { errorsOf } from "../../../ui/errors-of";
import { Form, FormError, readText, SelectField, TextField } from "../../../ui/form";
import { SecretDialog } from "../../../ui/secret-dialog";

const lifetimes = [30, 90, 365] as const;

interface Props {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** Creates an operator's token, which is shown once. */
export function CreateToken({ open, onOpenChange }: Props) {
  const create = useHubMutation((trpc) => trpc.admin.tokens.create, {
    invalidates: (trpc) => [trpc.admin.tokens.pathFilter()],
    showsError: true,
  });
  return (
    <SecretDialog
      open={open}
      onOpenChange={onOpenChange}
      create={create}
      title="Create an API token"
      kind="token"
      reveal={({ name, token }) => ({ title: `“${name}” is ready`, secret: token })}
    >
      <Form onSubmit={(fields) => create.mutate(readFields(fields))} error={create.error}>
        <Fields errors={errorsOf(create.error)} />
        <Button kind="primary" type="submit" busy={create.isPending}>
          Create token
        </Button>
      </Form>
    </SecretDialog>
  );
}

const Fields = ({ errors }: { errors: ReturnType<typeof errorsOf> }) => (
  <>
    <TextField
      name="name"
      label="Name"
      required
      maxLength={100}
      data-missing="Enter a name."
      hint="The audit log names the token for each change that it makes."
      error={errors?.field("name", "The name")}
    />
    <SelectField name="role" label="Role" defaultValue="operator" error={errors?.field("role", "The role")}>
      <option value="operator">Operator: reads and changes</option>
      <option value="auditor">Auditor: only reads</option>
    </SelectField>
    <SelectField name="days" label="Expires" defaultValue="90" error={errors?.field("days", "The expiry")}>
      {lifetimes.map((days) => (
        <option key={days} value={days}>
          In {days} days
        </option>
      ))}
      <option value="">Never</option>
    </SelectField>
    <TextField
      name="daily_credit"
      label="Daily credit limit (EUR)"
      inputMode="decimal"
      placeholder="No limit"
      maxLength={30}
      hint="The most that its credits and corrections may add up to in a day."
      error={errors?.field("daily_credit", "The limit")}
    />
    <FormError>{errors?.messageUnlessAt("name", "role", "days", "daily_credit")}</FormError>
  </>
);

function readFields(fields: FormData) {
  const days = readText(fields, "days");
  return {
    name: readText(fields, "name"),
    role: readText(fields, "role") as "operator" | "auditor",
    days: lifetimes.find((choice) => String(choice) === days) ?? null,
    daily_credit: readText(fields, "daily_credit"),
  };
}

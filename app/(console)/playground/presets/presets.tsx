"use client";

import { useQuery } from "@tanstack/react-query";
import { Trash2 } from "lucide-react";
import { useTRPC } from "../../../trpc/client";
import { useHubMutation } from "../../../trpc/use-hub-mutation";
import { Button } from "../../../ui/button";
import { ConfirmedButton, Dialog } from "../../../ui/dialog";
import { errorsOf } from "../../../ui/errors-of";
import { Form, FormError, readText, TextField } from "../../../ui/form";
import type { Input } from "../use-input";

const texts = {
  input: {
    description: "Inputs of this model that your account has saved.",
    save: "Save this input",
    example: "My product shots",
  },
  settings: {
    description: "System prompts and settings of this model that your account has saved.",
    save: "Save these settings",
    example: "Support agent",
  },
};

interface Props {
  /** The kind of form: the input of a media model, or the settings of a chat. */
  what: keyof typeof texts;
  model: string;
  /** The input of the form. */
  input: Input;
  onUse: (input: Input) => void;
  onClose: () => void;
}

/** Renders a dialog with the presets of a model, which also saves the form's input as one. */
export function Presets({ onClose, ...content }: Props) {
  const { isLoading } = useQuery(useTRPC().presets.list.queryOptions({ model: content.model }));
  // A list that came later would move the buttons of an open dialog.
  if (isLoading) return null;
  return (
    <Dialog open onOpenChange={onClose} title="Presets" description={texts[content.what].description}>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
        <SaveForm {...content} />
        <PresetList {...content} onClose={onClose} />
      </div>
    </Dialog>
  );
}

function SaveForm({ what, model, input }: Pick<Props, "what" | "model" | "input">) {
  const save = useHubMutation((trpc) => trpc.presets.save, {
    invalidates: (trpc) => [trpc.presets.pathFilter()],
    showsError: true,
    successToast: (_, { name }) => `Saved as ${name}.`,
  });
  const errors = errorsOf(save.error);
  const onSubmit = (fields: FormData, form: HTMLFormElement) =>
    save.mutate({ model, name: readText(fields, "name"), input }, { onSuccess: () => form.reset() });
  return (
    <Form onSubmit={onSubmit} error={save.error}>
      <TextField
        name="name"
        label="Name"
        required
        maxLength={60}
        placeholder={texts[what].example}
        data-missing="Enter a name."
        error={errors?.field("name", "The name")}
      />
      <FormError>{errors?.messageUnlessAt("name")}</FormError>
      <Button type="submit" needs="develop" busy={save.isPending}>
        {texts[what].save}
      </Button>
    </Form>
  );
}

function PresetList({ model, onUse, onClose }: Omit<Props, "input" | "what">) {
  const { data: presets } = useQuery(useTRPC().presets.list.queryOptions({ model }));
  const remove = useHubMutation((trpc) => trpc.presets.delete, {
    invalidates: (trpc) => [trpc.presets.pathFilter()],
    successToast: "Preset deleted.",
  });
  if (!presets) return null;
  if (presets.length === 0) return <p className="text-sm text-soft">No presets of this model yet.</p>;
  return (
    <ul aria-label="Presets" className="grid max-h-80 divide-y divide-line overflow-y-auto">
      {presets.map(({ id, name, input }) => (
        <li key={id} className="flex items-center justify-between gap-3 py-2">
          <span className="min-w-0 truncate text-sm font-medium">{name}</span>
          <span className="flex shrink-0 gap-1">
            <Button
              aria-label={`Use ${name}`}
              onClick={() => {
                onUse(input);
                onClose();
              }}
            >
              Use
            </Button>
            <ConfirmedButton
              needs="develop"
              label={`Delete ${name}`}
              busy={remove.isPending}
              title={`Delete ${name}?`}
              verb="Delete preset"
              question="Nobody in your account can use it afterwards. This can’t be undone."
              onConfirm={() => remove.mutate({ id })}
            >
              <Trash2 size={16} aria-hidden />
            </ConfirmedButton>
          </span>
        </li>
      ))}
    </ul>
  );
}

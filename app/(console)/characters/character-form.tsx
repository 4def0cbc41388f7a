"use client";

import type { FormEvent, ReactNode } from "react";
import { Card } from "../../ui/card";
import { errorsOf } from "../../ui/errors-of";
import { FormError } from "../../ui/field";
import { DetailFields } from "./detail-fields";
import { type BaseModel, type Fields, inlinePathsOf, schemaOf } from "./fields";
import { useFocusOnError } from "../../ui/form";
import type { PictureFile } from "./picture";
import { PicturesField } from "./pictures-field";

interface Props {
  models: BaseModel[];
  fields: Fields;
  onChange: (changes: Partial<Fields>) => void;
  error: unknown;
  /** The stored files of pictures saved earlier. */
  known?: { text: string; file: PictureFile | null }[];
  maxBytes: number;
  onSubmit: () => void;
  /** Shown beside the fields: the cost and the buttons. */
  children: ReactNode;
}

/** Collects the fields of a new or edited character. */
export function CharacterForm({ error, known = [], onSubmit, children, ...fieldProps }: Props) {
  const { models, fields, onChange, maxBytes } = fieldProps;
  const schema = schemaOf(models, fields);
  const errors = errorsOf(error);
  const errorOf = (path: string) => errors?.field(path);
  const isShownInline = inlinePathsOf(schema).some(errorOf);
  const form = useFocusOnError(error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <form
      ref={form}
      noValidate
      onSubmit={submit}
      className="grid grid-cols-[minmax(0,1fr)] items-start gap-6 lg:grid-cols-[minmax(0,1fr)_20rem]"
    >
      <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
        <Card title="Pictures">
          <PicturesField
            value={fields.images}
            schema={schema.properties?.images ?? {}}
            onChange={(images) => onChange({ images })}
            error={errorOf("images") ?? errorOf("images.0")}
            known={known}
            maxBytes={maxBytes}
          />
        </Card>
        <Card title="Details">
          <DetailFields {...fieldProps} errorOf={errorOf} />
        </Card>
      </div>
      <div className="lg:sticky lg:top-8">
        <Card title="Cost">
          <div className="grid gap-4">
            <FormError>{!isShownInline && errors?.message}</FormError>
            {children}
          </div>
        </Card>
      </div>
    </form>
  );
}

"use client";

import type { FormEvent, ReactNode } from "react";
import { Card } from "../../ui/card";
import { errorsOf } from "../../ui/errors-of";
import { FormError } from "../../ui/form-error";
import { AboutFields } from "./about-fields";
import { type BaseModel, type Fields, placesOf, schemaOf } from "./fields";
import type { PictureFile } from "./picture";
import { PicturesField } from "./pictures-field";

interface Props {
  models: BaseModel[];
  fields: Fields;
  onChange: (changes: Partial<Fields>) => void;
  error: unknown;
  /** The files behind pictures that were there before. */
  known?: { text: string; file: PictureFile | null }[];
  mostBytes: number;
  onSubmit: () => void;
  /** Beside the fields: what it costs, and the buttons. */
  children: ReactNode;
}

/** What its owner writes of a character. */
export function CharacterForm({ error, known = [], onSubmit, children, ...given }: Props) {
  const { models, fields, onChange, mostBytes } = given;
  const schema = schemaOf(models, fields);
  const faults = errorsOf(error);
  const faultOf = (place: string) => faults?.field(place);
  const isPlaced = placesOf(schema).some(faultOf);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <form
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
            error={faultOf("images") ?? faultOf("images.0")}
            known={known}
            mostBytes={mostBytes}
          />
        </Card>
        <Card title="Details">
          <AboutFields {...given} faultOf={faultOf} />
        </Card>
      </div>
      <div className="lg:sticky lg:top-8">
        <Card title="Cost">
          <div className="grid gap-4">
            <FormError>{!isPlaced && faults?.message}</FormError>
            {children}
          </div>
        </Card>
      </div>
    </form>
  );
}

"use client";

import type { FormEvent, ReactNode } from "react";
import { UploadLimit } from "../../parameters/files-field";
import { ParameterField } from "../../parameters/parameter-field";
import { Card } from "../../ui/card";
import { errorsOf } from "../../ui/errors-of";
import { FormError, SelectField, TextField, useFocusOnError } from "../../ui/form";
import { type BaseModel, type Fields, inlinePathsOf, otherParametersOf, schemaOf } from "./fields";
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

interface DetailFieldsProps {
  models: BaseModel[];
  fields: Fields;
  onChange: (changes: Partial<Fields>) => void;
  /** Returns the error of a field. */
  errorOf: (path: string) => string | undefined;
  maxBytes: number;
}

/** Shows the name, base model and training parameters of a character. */
function DetailFields({ models, fields, onChange, errorOf, maxBytes }: DetailFieldsProps) {
  const schema = schemaOf(models, fields);
  const change = (name: string, value: unknown) => onChange({ parameters: withValue(fields.parameters, name, value) });
  return (
    <div className="grid gap-5">
      <TextField
        label="Name"
        value={fields.name}
        maxLength={200}
        placeholder="Ada"
        error={errorOf("name")}
        onChange={(event) => onChange({ name: event.target.value })}
      />
      {schema.properties?.trigger_word && (
        <TextField
          label="Trigger word"
          value={fields.trigger_word ?? ""}
          maxLength={200}
          placeholder="ada42"
          hint="Optional. The word that refers to the character in prompts."
          error={errorOf("trigger_word")}
          onChange={(event) => onChange({ trigger_word: event.target.value || null })}
        />
      )}
      <TrainedBy models={models} fields={fields} onChange={onChange} error={errorOf("base_model")} />
      <UploadLimit value={maxBytes}>
        {otherParametersOf(schema).map((parameter) => (
          <ParameterField
            key={`${fields.base_model} ${parameter.name}`}
            parameter={parameter}
            value={fields.parameters[parameter.name]}
            error={errorOf(`parameters.${parameter.name}`)}
            onChange={(value) => change(parameter.name, value)}
          />
        ))}
      </UploadLimit>
    </div>
  );
}

type ChoiceProps = Pick<DetailFieldsProps, "models" | "fields" | "onChange"> & { error: string | undefined };

function TrainedBy({ models, fields, onChange, error }: ChoiceProps) {
  const model = models.find(({ id }) => id === fields.base_model);
  return (
    <SelectField
      label="Base model"
      value={fields.base_model}
      hint={model?.description}
      error={error}
      onChange={(event) => onChange({ base_model: event.target.value, parameters: {} })}
    >
      {!model && <option value={fields.base_model}>{fields.base_model || "No models available"}</option>}
      {models.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </SelectField>
  );
}

const withValue = (parameters: Record<string, unknown>, name: string, value: unknown): Record<string, unknown> =>
  Object.fromEntries(Object.entries({ ...parameters, [name]: value }).filter(([, entered]) => entered !== undefined));

"use client";

import { UploadLimit } from "../../parameters/files-field";
import { ParameterField } from "../../parameters/parameter-field";
import { SelectField, TextField } from "../../ui/field";
import { type BaseModel, type Fields, otherParametersOf, schemaOf } from "./fields";

interface Props {
  models: BaseModel[];
  fields: Fields;
  onChange: (changes: Partial<Fields>) => void;
  /** Returns the error of a field. */
  errorOf: (path: string) => string | undefined;
  maxBytes: number;
}

/** Shows the name, base model and training parameters of a character. */
export function DetailFields({ models, fields, onChange, errorOf, maxBytes }: Props) {
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

type ChoiceProps = Pick<Props, "models" | "fields" | "onChange"> & { error: string | undefined };

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

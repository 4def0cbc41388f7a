"use client";

import { Input } from "../ui/controls";
import { itemsOf } from "./parameter";
import { type ParameterProps, formatValue, labelAndHintOf } from "./parameter-props";

/** Selects any number of allowed values with checkboxes. */
export function ChoicesField({ parameter, value, onChange, error }: ParameterProps) {
  const { label, hint } = labelAndHintOf(parameter);
  const choices = itemsOf(parameter.schema).enum!;
  const chosen = Array.isArray(value) ? value : ((parameter.schema.default ?? []) as unknown[]);
  const toggle = (choice: unknown) =>
    onChange(choices.filter((one) => (one === choice ? !chosen.includes(one) : chosen.includes(one))));
  return (
    <fieldset className="grid gap-1.5">
      <legend className="mb-1.5 text-sm font-medium">{label}</legend>
      <div className="flex flex-wrap gap-x-4">
        {choices.map((choice) => (
          <label key={formatValue(choice)} className="flex min-h-9 items-center gap-2 text-sm pointer-coarse:min-h-11">
            <Input
              type="checkbox"
              className="size-4 accent-accent"
              checked={chosen.includes(choice)}
              onChange={() => toggle(choice)}
            />
            {formatValue(choice)}
          </label>
        ))}
      </div>
      {error && (
        <p role="alert" className="text-sm text-danger">
          {error}
        </p>
      )}
      {hint && <p className="text-xs leading-5 text-soft">{hint}</p>}
    </fieldset>
  );
}

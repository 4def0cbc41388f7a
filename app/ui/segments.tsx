"use client";

import { RadioOptions } from "./radio-options";

interface Props<Value extends string> {
  label: string;
  options: readonly { value: Value; label: string }[];
  value: Value;
  onChange: (value: Value) => void;
}

/** Renders a radio group shown as segmented buttons. */
export const Segments = <Value extends string>({ label, options, value, onChange }: Props<Value>) => (
  <RadioOptions
    label={label}
    options={options}
    value={value}
    onChange={onChange}
    className="flex flex-wrap gap-0.5 rounded-lg bg-sunken p-0.5"
    optionClass="min-h-8 rounded-md px-3 text-sm font-medium has-checked:bg-chosen has-checked:shadow-raised pointer-coarse:min-h-11"
  />
);

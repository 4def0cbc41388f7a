"use client";

import { RadioGroup } from "radix-ui";
import { useHydrated } from "./use-hydrated";

interface Props<Value extends string> {
  label: string;
  options: readonly { value: Value; label: string }[];
  value: Value;
  onChange: (value: Value) => void;
}

/** Renders a radio group shown as segmented buttons. */
export const Segments = <Value extends string>({ label, options, value, onChange }: Props<Value>) => (
  <RadioGroup.Root
    aria-label={label}
    disabled={!useHydrated()}
    value={value}
    onValueChange={(next) => onChange(next as Value)}
    className="flex flex-wrap gap-0.5 rounded-lg bg-sunken p-0.5"
  >
    {options.map((option) => (
      <RadioGroup.Item
        key={option.value}
        value={option.value}
        className="min-h-8 cursor-pointer rounded-md px-3 text-sm font-medium text-soft hover:text-ink data-[state=checked]:bg-raised data-[state=checked]:text-ink data-[state=checked]:shadow-raised pointer-coarse:min-h-11"
      >
        {option.label}
      </RadioGroup.Item>
    ))}
  </RadioGroup.Root>
);

"use client";

import { type ReactNode, useId } from "react";
import { Input } from "./controls";

interface Props<Value extends string> {
  label: string;
  /** `content` is shown instead of the label, which is then the tooltip. */
  options: readonly { value: Value; label: string; content?: ReactNode }[];
  value: Value;
  onChange: (value: Value) => void;
  className: string;
  optionClass: string;
}

/** Renders a radio group of native radio buttons, which are invisible and cover their options. */
export function RadioOptions<Value extends string>(props: Props<Value>) {
  const { label, options, value, onChange, className, optionClass } = props;
  const name = useId();
  return (
    <div role="radiogroup" aria-label={label} className={className}>
      {options.map((option) => (
        <label
          key={option.value}
          title={option.content ? option.label : undefined}
          className={`relative inline-flex items-center justify-center text-soft outline-offset-2 outline-accent hover:text-ink has-checked:text-ink has-focus-visible:outline-2 ${optionClass}`}
        >
          <Input
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === value}
            // A choice made before hydration is also replayed for the option that it replaced.
            onChange={({ target }) => target.checked && onChange(option.value)}
            aria-label={option.label}
            // Belongs to no form, because Enter would submit it.
            form=""
            className="absolute inset-0 m-0 size-full cursor-pointer appearance-none rounded-md outline-none"
          />
          <span aria-hidden>{option.content ?? option.label}</span>
        </label>
      ))}
    </div>
  );
}

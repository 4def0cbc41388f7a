"use client";

import { useState } from "react";
import type { ExampleInput } from "../../parameters/example-inputs";
import type { Parameter } from "../../parameters/parameter";

export type Input = Record<string, unknown>;

/** Manages the input of a form, which starts with what `initial` has for these parameters. */
export function useInput(initial: Input, parameters: Parameter[], onChange: () => void) {
  const [input, setInput] = useState(() => keepKnown(initial, parameters));
  // Some fields have their own state, which this key resets for another input.
  const [formKey, setFormKey] = useState(0);
  const change = (name: string, value: unknown) => {
    onChange();
    setInput((before) => {
      const after = { ...before, [name]: value };
      if (value === undefined) delete after[name];
      return after;
    });
  };
  const replace = (next: Input) => {
    onChange();
    setInput(keepKnown(next, parameters));
    setFormKey((key) => key + 1);
  };
  const showExample = (example: ExampleInput) => {
    const added = Object.entries(input).filter(([name]) => example.missing.includes(name));
    replace({ ...Object.fromEntries(added), ...example.input });
  };
  return { input, formKey, change, replace, showExample };
}

// An older generation may contain parameters that its model no longer accepts.
const keepKnown = (input: Input, parameters: Parameter[]): Input =>
  Object.fromEntries(Object.entries(input).filter(([name]) => parameters.some((one) => one.name === name)));

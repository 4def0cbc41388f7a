"use client";

import { type ComponentProps, useId, useState } from "react";
import { Input, Select } from "./controls";

const baseClass =
  "min-h-9 min-w-0 rounded-lg border border-strong-line bg-raised px-2.5 text-base text-ink sm:text-sm pointer-coarse:min-h-11";

/** On a phone the fields are stacked and aligned. */
const fieldClass = `${baseClass} max-sm:w-3/5`;
const labelClass = "flex min-w-0 items-center gap-2 text-sm text-soft max-sm:w-full max-sm:justify-between";

type Labelled = { label: string };

interface Option {
  value: string;
  label: string;
}

interface SelectProps extends ComponentProps<"select">, Labelled {
  /** Offered after an empty one, instead of children. */
  options?: readonly Option[];
  /** The label of the empty option. */
  any?: string;
}

/** Renders a labelled select that filters a list. */
export const FilterSelect = ({ label, options, any = "Any", children, ...props }: SelectProps) => (
  <label className={labelClass}>
    {label}
    <Select {...props} className={fieldClass}>
      {options && <option value="">{any}</option>}
      {options?.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
      {children}
    </Select>
  </label>
);

interface ComboboxProps extends Labelled {
  options: Option[];
  /** The chosen value; empty for any. */
  value: string;
  onChange: (value: string) => void;
}

/** More options than this take too much scrolling in a native select. */
const MAX_SELECTED = 20;

/** Renders a labelled select of "Any" and these options, or a field that suggests them if there are many. */
export const FilterCombobox = ({ label, options, value, onChange }: ComboboxProps) =>
  options.length > MAX_SELECTED ? (
    // The field starts over when the filter changes from outside, as with "Clear filters".
    <Suggestions key={value} label={label} options={options} value={value} onChange={onChange} />
  ) : (
    <FilterSelect label={label} options={options} value={value} onChange={({ target }) => onChange(target.value)} />
  );

function Suggestions({ label, options, value, onChange }: ComboboxProps) {
  const listId = useId();
  const [text, setText] = useState(options.find((option) => option.value === value)?.label ?? value);
  const enter = (entered: string) => {
    setText(entered);
    const found = options.find((option) => option.label === entered);
    if (found || entered === "") onChange(found?.value ?? "");
  };
  return (
    <label className={labelClass}>
      {label}
      <Input
        list={listId}
        value={text}
        placeholder="Any"
        onChange={({ target }) => enter(target.value)}
        className={`${fieldClass} sm:w-40`}
      />
      <datalist id={listId}>
        {options.map((option) => (
          <option key={option.value} value={option.label} />
        ))}
      </datalist>
    </label>
  );
}

export const FilterDate = ({ label, ...props }: ComponentProps<"input"> & Labelled) => (
  <label className={labelClass}>
    {label}
    <Input type="date" {...props} className={fieldClass} />
  </label>
);

export const FilterCheck = ({ label, ...props }: ComponentProps<"input"> & Labelled) => (
  <label className="flex min-h-9 cursor-pointer items-center gap-2 text-sm text-soft pointer-coarse:min-h-11">
    <Input type="checkbox" {...props} className="size-4 accent-accent" />
    {label}
  </label>
);

/** Renders the filter bar above a list. A long option does not push the other fields away. */
export const Filters = (props: ComponentProps<"div">) => (
  <div
    role="search"
    {...props}
    className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line px-5 py-3 sm:[&_select]:max-w-40"
  />
);

"use client";

import { type ComponentProps, type ReactNode, useId } from "react";
import { Input, Select } from "./controls";

const baseClass =
  "w-full min-h-10 rounded-lg border border-strong-line bg-raised px-3 text-base sm:text-sm text-ink aria-invalid:border-danger";

interface FieldProps {
  label: ReactNode;
  hint?: ReactNode;
  /** The validation error. */
  error?: string;
  children: (controlProps: {
    id: string;
    className: string;
    "aria-invalid"?: true;
    "aria-describedby"?: string;
  }) => ReactNode;
}

/** Renders a labelled input with its hint and error, connected for screen readers. */
export function Field({ label, hint, error, children }: FieldProps) {
  const id = useId();
  const describedBy = [error && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(" ");
  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      {children({
        id,
        className: baseClass,
        "aria-invalid": error ? true : undefined,
        "aria-describedby": describedBy || undefined,
      })}
      {error && (
        <p id={`${id}-error`} role="alert" className="text-sm text-danger">
          {error}
        </p>
      )}
      {hint && (
        <p id={`${id}-hint`} className="text-xs leading-5 text-soft">
          {hint}
        </p>
      )}
    </div>
  );
}

type Labelled = { label: ReactNode; hint?: ReactNode; error?: string };

export const TextField = ({ label, hint, error, ...props }: ComponentProps<"input"> & Labelled) => (
  <Field label={label} hint={hint} error={error}>
    {(controlProps) => <Input {...props} {...controlProps} />}
  </Field>
);

export const SelectField = ({ label, hint, error, ...props }: ComponentProps<"select"> & Labelled) => (
  <Field label={label} hint={hint} error={error}>
    {(controlProps) => <Select {...props} {...controlProps} />}
  </Field>
);

export function CheckField({ label, hint, ...props }: ComponentProps<"input"> & Labelled) {
  const id = useId();
  return (
    <div className="flex gap-3">
      <Input
        type="checkbox"
        {...props}
        id={id}
        aria-describedby={hint ? `${id}-hint` : undefined}
        className="mt-0.5 size-4 shrink-0 accent-accent"
      />
      <div className="grid gap-1">
        <label htmlFor={id} className="text-sm font-medium">
          {label}
        </label>
        {hint && (
          <p id={`${id}-hint`} className="text-xs leading-5 text-soft">
            {hint}
          </p>
        )}
      </div>
    </div>
  );
}

/** Shows the error of a whole form, above its submit button. */
export const FormError = ({ children }: { children?: string | false | null }) =>
  children ? (
    <p role="alert" className="rounded-lg bg-danger-wash px-3 py-2 text-sm text-danger">
      {children}
    </p>
  ) : null;

"use client";

import { type ComponentProps, type ReactNode, useId } from "react";
import { Input, Select } from "./controls";
import { useFormIssue } from "./form";

const baseClass =
  "w-full min-h-10 pointer-coarse:min-h-11 rounded-lg border border-strong-line bg-raised px-3 text-base sm:text-sm text-ink aria-invalid:border-danger";

interface Labelled {
  label: ReactNode;
  hint?: ReactNode;
  /** The error of the field; one that the form finds itself comes first. */
  error?: ReactNode;
}

interface FieldProps extends Labelled {
  /** The name of the control, for the issues that its form finds. */
  name?: string;
  children: (controlProps: {
    id: string;
    className: string;
    "aria-invalid"?: true;
    "aria-describedby"?: string;
  }) => ReactNode;
}

/** Renders a labelled input with its hint and error, connected for screen readers. */
export function Field({ label, hint, name, error: givenError, children }: FieldProps) {
  const id = useId();
  const { isInForm, issue } = useFormIssue(name);
  const error = issue ?? givenError;
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
        // A form focuses the field, which its error describes; an alert would say it twice.
        <p id={`${id}-error`} role={isInForm ? undefined : "alert"} className="text-sm text-danger">
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

export const TextField = ({ label, hint, error, ...props }: ComponentProps<"input"> & Labelled) => (
  <Field label={label} hint={hint} error={error} name={props.name}>
    {(controlProps) => <Input {...props} {...controlProps} />}
  </Field>
);

export const SelectField = ({ label, hint, error, ...props }: ComponentProps<"select"> & Labelled) => (
  <Field label={label} hint={hint} error={error} name={props.name}>
    {(controlProps) => <Select {...props} {...controlProps} />}
  </Field>
);

export function CheckField({ label, hint, ...props }: ComponentProps<"input"> & Labelled) {
  const id = useId();
  return (
    <div className="relative flex gap-3 pointer-coarse:min-h-11">
      <Input
        type="checkbox"
        {...props}
        id={id}
        aria-describedby={hint ? `${id}-hint` : undefined}
        className="relative z-1 mt-0.5 size-4 shrink-0 accent-accent"
      />
      <div className="grid gap-1">
        {/* The whole row checks the box. */}
        <label htmlFor={id} className="text-sm font-medium after:absolute after:inset-0">
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

"use client";

import {
  type ComponentProps,
  createContext,
  type FormEvent,
  type ReactNode,
  type RefObject,
  useContext,
  useEffect,
  useId,
  useRef,
  useState,
} from "react";
import { flushSync } from "react-dom";
import { Input, Select } from "./controls";

type Issues = Record<string, string>;

/** The issues that a form found itself, by the names of its fields; null outside a form. */
const FormIssues = createContext<Issues | null>(null);

/** Returns the issue that the form around a field found, and whether there is a form, which focuses invalid fields. */
export function useFormIssue(name: string | undefined) {
  const issues = useContext(FormIssues);
  return { isInForm: issues !== null, issue: name === undefined ? undefined : issues?.[name] };
}

interface Props extends Omit<ComponentProps<"form">, "onSubmit" | "ref"> {
  onSubmit: (fields: FormData, form: HTMLFormElement) => void;
  /** Why the latest request of this form was rejected; a new error focuses the first field that shows one. */
  error?: unknown;
}

/**
 * Renders a form that says what is wrong at its fields, in our words instead of the browser's, and focuses the first
 * invalid field. `onSubmit` receives valid entries only.
 */
export function Form({ onSubmit, error, className = "grid gap-4", ...props }: Props) {
  const form = useFocusOnError(error);
  const [issues, setIssues] = useState<Issues>({});
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const { currentTarget: element } = event;
    const found = findIssues(element);
    flushSync(() => setIssues(found));
    if (Object.keys(found).length === 0) onSubmit(new FormData(element), element);
    else focusFirstInvalid(element);
  };
  const clearIssue = ({ target }: FormEvent) => {
    const { name } = target as HTMLInputElement;
    if (name in issues) setIssues(Object.fromEntries(Object.entries(issues).filter(([other]) => other !== name)));
  };
  return (
    <FormIssues.Provider value={issues}>
      {/* With `post`, a form that is submitted before hydration keeps its fields out of the URL. */}
      <form
        ref={form}
        noValidate
        method="post"
        {...props}
        className={className}
        onSubmit={submit}
        onInput={clearIssue}
      />
    </FormIssues.Provider>
  );
}

function findIssues(form: HTMLFormElement): Issues {
  const controls = [...form.elements].filter((one): one is HTMLInputElement => "validity" in one && "name" in one);
  const found = controls.map((control) => [control.name, describeValidity(control)] as const);
  return Object.fromEntries(found.filter((issue): issue is [string, string] => issue[1] !== null));
}

/** Returns the ref of a form whose first invalid field receives the focus with each new error of its request. */
export function useFocusOnError(error: unknown): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (error) focusFirstInvalid(form.current!);
  }, [error]);
  return form;
}

/** Focuses the first field inside an element that is marked as invalid, if any. */
function focusFirstInvalid(container: Element): void {
  container.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
}

type Checked = Pick<HTMLInputElement, "validity" | "type" | "min" | "max" | "minLength" | "dataset">;

/**
 * Returns what to change in a control whose entry the browser rejects, as a sentence; null for a valid one. Its
 * attribute `data-missing` says what to enter into an empty one.
 */
export function describeValidity({ validity, type, min, max, minLength, dataset }: Checked): string | null {
  if (validity.valid) return null;
  if (validity.valueMissing) return dataset.missing ?? "Fill in this field.";
  if (validity.badInput) return "Enter a number.";
  if (validity.rangeUnderflow) return `Enter ${min} or more.`;
  if (validity.rangeOverflow) return `Enter ${max} or less.`;
  if (validity.tooShort) return `Enter at least ${minLength} characters.`;
  if (validity.typeMismatch && type === "email") return "Enter an e-mail address such as name@example.org.";
  if (validity.typeMismatch) return "Enter a URL that starts with https://.";
  return "Enter another value.";
}

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
        // A form focuses the field, and its error is announced as the description; an alert would repeat it.
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
      <div className="grid min-w-0 gap-1">
        {/* The whole row checks the box. */}
        <label htmlFor={id} className="text-sm font-medium wrap-anywhere after:absolute after:inset-0">
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

/** Returns a submit handler for a form; `busy` is true while `send` is pending. */
export function useSubmit(send: (fields: FormData, form: HTMLFormElement) => Promise<void>) {
  const [busy, setBusy] = useState(false);
  const onSubmit = (fields: FormData, form: HTMLFormElement) => {
    setBusy(true);
    void send(fields, form).finally(() => setBusy(false));
  };
  return { busy, onSubmit };
}

/** Returns the text of a field. */
export const readText = (fields: FormData, name: string) => fields.get(name) as string;

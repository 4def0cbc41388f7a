"use client";

import {
  type ComponentProps,
  createContext,
  type FormEvent,
  type RefObject,
  useContext,
  useEffect,
  useRef,
  useState,
} from "react";
import { flushSync } from "react-dom";

type Issues = Record<string, string>;

/** The issues that a form found itself, by the names of its fields; null outside a form. */
const FormIssues = createContext<Issues | null>(null);

/** Returns the issue that the form around a field found, and whether there is a form, which focuses invalid fields. */
export function useFormIssue(name: string | undefined) {
  const issues = useContext(FormIssues);
  return { isInForm: issues !== null, issue: name === undefined ? undefined : issues?.[name] };
}

interface Props extends Omit<ComponentProps<"form">, "onSubmit" | "ref"> {
  onSubmit: (event: FormEvent<HTMLFormElement>) => void;
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
    const found = findIssues(event.currentTarget);
    flushSync(() => setIssues(found));
    if (Object.keys(found).length === 0) return onSubmit(event);
    event.preventDefault();
    focusFirstInvalid(event.currentTarget);
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
export function focusFirstInvalid(container: Element): void {
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

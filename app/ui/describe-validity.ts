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

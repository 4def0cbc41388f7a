import { expect, test } from "vitest";
import { describeValidity } from "./form";

const control = (issue: string, changes: object = {}) =>
  ({
    type: "text",
    min: "0.01",
    max: "100",
    minLength: 8,
    dataset: {},
    validity: { valid: false, [issue]: true } as unknown as ValidityState,
    ...changes,
  }) as Parameters<typeof describeValidity>[0];

test("a valid control has no issue", () => {
  expect(describeValidity(control("valid"))).toBeNull();
});

test.each([
  ["valueMissing", { dataset: { missing: "Enter a name." } }, "Enter a name."],
  ["valueMissing", {}, "Fill in this field."],
  ["badInput", {}, "Enter a number."],
  ["rangeUnderflow", {}, "Enter 0.01 or more."],
  ["rangeOverflow", {}, "Enter 100 or less."],
  ["tooShort", {}, "Enter at least 8 characters."],
  ["typeMismatch", { type: "email" }, "Enter an e-mail address such as name@example.org."],
  ["typeMismatch", { type: "url" }, "Enter a URL that starts with https://."],
  ["patternMismatch", {}, "Enter another value."],
])("%s %j says %j", (issue, changes, sentence) => {
  expect(describeValidity(control(issue, changes))).toBe(sentence);
});

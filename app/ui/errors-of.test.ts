import { expect, test, vi } from "vitest";
import { errorsOf } from "./errors-of";

const failed = (errors: Record<string, string[]>, message = "The request is not valid") =>
  errorsOf({ message, data: { code: "invalid_input", errors } })!;

test.each([
  ["is required", "This field is required."],
  ["must have at least 8 characters", "This field must have at least 8 characters."],
  ["there is no such parameter", "There is no such parameter."],
  ["The URL is not on the public internet.", "The URL is not on the public internet."],
  ["example.invalid could not be resolved.", "example.invalid could not be resolved."],
])("a field's error %j reads %j", (issue, sentence) => {
  expect(failed({ name: [issue] }).field("name")).toBe(sentence);
});

test("a field's error names the given subject, also for a nested value", () => {
  const { field } = failed({ "email.0": ["already has an account"] });
  expect(field("email", "This e-mail address")).toBe("This e-mail address already has an account.");
  expect(field("password")).toBeUndefined();
});

test.each([
  ["input.prompt", "is required", "input.prompt is required."],
  ["body", "is empty; send a JSON object", "The request is empty; send a JSON object."],
  ["file", "is empty", "The file is empty."],
  ["body", "An account can have 5 active webhooks.", "An account can have 5 active webhooks."],
])("the message of an issue at %j is a sentence", (place, issue, sentence) => {
  expect(failed({ [place]: [issue] }, `${place}: ${issue}`).message).toBe(sentence);
});

test("other errors keep their message, and one without a response says that the hub was not reached", () => {
  expect(errorsOf({ message: "Too many requests", data: { code: "rate_limited" } })!.message).toBe("Too many requests");
  expect(errorsOf(new TypeError("fetch failed"))!.message).toBe("The hub could not be reached. Try again.");
  vi.stubGlobal("navigator", { onLine: false });
  expect(errorsOf(new TypeError("fetch failed"))!.message).toBe("You are offline.");
  vi.unstubAllGlobals();
  expect(errorsOf(null)).toBeNull();
});

import { expect, test } from "vitest";
import * as hubFailures from "@/server/domain/generations/row/failures";
import { refuseContent } from "@/server/providers/http/describe-rejection";
import { type Failure, failureCodes } from "@/server/providers/failure";
import { describeFailure } from "./describe-failure";

const failed = [{ outcome: "failed" as const }];
const lost = [{ outcome: "refused" as const }, { outcome: "lost" as const }];
const failure = (code: Failure["code"], retryable = false): Failure => ({ code, retryable, message: "A reason." });

test.each(failureCodes.flatMap((code) => [failure(code), failure(code, true)]))(
  "says what happened and what to do about %o",
  (error) => {
    const { title, advice, message } = describeFailure(error, failed);
    expect([title, advice]).toEqual([expect.stringMatching(/^[A-Z].*\.$/), expect.stringMatching(/^[A-Z].*\.$/)]);
    expect(message).toBe(error.code === "content_refused" ? null : "A reason.");
  },
);

test("a refusal by safety rules advises to change the prompt or the files", () => {
  expect(describeFailure(refuseContent("no").error, failed)).toEqual({
    title: "The provider’s safety rules refused this.",
    advice: "Retrying with the same input won’t help: change the prompt or the files.",
    message: null,
  });
});

test("a rejected input keeps the provider's reason", () => {
  const error = { ...failure("provider_refused"), message: "The provider rejected the input: width is too large." };
  expect(describeFailure(error, failed)).toMatchObject({
    title: "The provider rejected the input.",
    message: error.message,
  });
});

test.each(["provider_error", "timeout"] as const)("%s after a lost attempt says that the work is unknown", (code) => {
  const error = { ...hubFailures.attemptLost, code };
  expect(describeFailure(error, lost)).toMatchObject({
    title: "It is unknown whether the provider did the work.",
    message: null,
  });
  expect(describeFailure(failure("input_unavailable"), lost).title).toBe("An input file could not be read.");
});

test("does not repeat the hub's own messages", () => {
  const { internalError, timedOut, unroutable, hubStopped } = hubFailures;
  const messages = [internalError, timedOut, unroutable, hubStopped].map((one) => describeFailure(one, []).message);
  expect(messages).toEqual([null, null, null, hubStopped.message]);
});

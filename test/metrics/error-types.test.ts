import { expect, test } from "vitest";
import {
  classifyAttempt,
  classifyError,
  classifyGeneration,
  typesByCode,
  typesByFailure,
  withErrorType,
} from "../../server/domain/metrics/error-type";
import { AppError, type ErrorCode, errorTable } from "../../server/errors";
import { errorTypes } from "../../server/lib/metrics/error-types";
import { failureCodes, type FailureCause } from "../../server/providers/failure";

const known = errorTypes.filter((type) => type !== "_OTHER");

test("every code of the hub and of generations has a known type", () => {
  expect(Object.keys(typesByCode).sort()).toEqual(Object.keys(errorTable).sort());
  expect(Object.keys(typesByFailure).sort()).toEqual([...failureCodes].sort());
  for (const code of Object.keys(errorTable) as ErrorCode[]) expect(known).toContain(classifyError(new AppError(code)));
  for (const code of failureCodes) expect(known).toContain(classifyGeneration({ code }));
});

test("every cause, code and status of an attempt has a known type", () => {
  const causes: (FailureCause | undefined)[] = [undefined, "job", "account", "capacity", "outage"];
  for (const cause of causes)
    for (const code of [undefined, ...failureCodes])
      for (const upstreamStatus of [undefined, 200, 400, 401, 402, 403, 408, 422, 429, 500, 503, 504, 529]) {
        expect(known).toContain(classifyAttempt({ code, cause, upstreamStatus }));
        if (code) expect(known).toContain(classifyGeneration({ code, cause, upstreamStatus }));
      }
});

test.each([
  [{ cause: "account", upstreamStatus: 401 }, "provider_auth"],
  [{ cause: "account", upstreamStatus: 402 }, "provider_billing"],
  [{ cause: "capacity", upstreamStatus: 429 }, "provider_rate_limited"],
  [{ cause: "capacity", upstreamStatus: 503 }, "provider_overloaded"],
  [{ cause: "outage", upstreamStatus: 500 }, "provider_error"],
  [{ cause: "outage" }, "provider_unreachable"],
  [{ cause: "outage", code: "timeout" }, "provider_timeout"],
  [{ cause: "outage", upstreamStatus: 200, code: "invalid_output" }, "provider_error"],
  [{ cause: "job", upstreamStatus: 400, code: "provider_refused" }, "caller_invalid"],
  [{ cause: "job", code: "content_refused" }, "caller_invalid"],
  [{ cause: "job", code: "invalid_output" }, "provider_bad_answer"],
] as const)("an attempt that failed by %j is %s", (failed, type) => {
  expect(classifyAttempt(failed)).toBe(type);
});

test("a type that does not follow from the code is set on the error", () => {
  expect(classifyError(new AppError("insufficient_credits"))).toBe("policy_no_credit");
  const error = withErrorType(new AppError("insufficient_credits"), "policy_spend_limit");
  expect(classifyError(error)).toBe("policy_spend_limit");
});

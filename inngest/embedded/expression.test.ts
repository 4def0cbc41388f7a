import { describe, expect, test } from "vitest";
import { matchesCondition, parseCondition, parsePath } from "./expression";
import { createWaitKey, listWaitKeys } from "./wait-key";

const event = { name: "a", data: { id: "x", n: 3, flag: true, none: null, deep: { er: "y" }, list: [1] } };

describe("conditions", () => {
  test.each<[string, object, boolean]>([
    ["event.data.id == async.data.id", { data: { id: "x" } }, true],
    ["event.data.id == async.data.id", { data: { id: "z" } }, false],
    ["event.data.id == async.data.id", { data: {} }, false],
    ["event.data.missing == async.data.missing", { data: {} }, false],
    ["event.data.list == async.data.list", { data: { list: [1] } }, false],
    ["event.data.n == 3 && 'y' == event.data.deep.er", {}, true],
    ["async.data.n == -1.5", { data: { n: -1.5 } }, true],
    ['event.data.flag == true&&event.data.none==null && async.data.q == "a && b"', { data: { q: "a && b" } }, true],
    ["event.data.n == '3'", {}, false],
    ["event.data.constructor == async.data.constructor", { data: {} }, false],
  ])("%s", (expression, async, expected) => {
    const condition = parseCondition(expression);
    expect(matchesCondition(condition, { event, async })).toBe(expected);
    // An event that matches must be found by the key of the wait.
    if (expected) expect(listWaitKeys(async)).toContain(createWaitKey(condition, event));
  });

  test.each([
    "",
    "event.data.id",
    "event.data.id != async.data.id",
    "event.data.n > 3",
    "a == b",
    "event.data.id == async.data.id &&",
    "event.data.id == async.data.id || true == true",
    "event.data.id == 'it\\'s'",
    "event == async",
    "event.data['id'] == 1",
  ])("rejects `%s`", (expression) => {
    expect(() => parseCondition(expression)).toThrow("only equalities");
  });

  test("a path is one value of the event", () => {
    expect(parsePath(" event.data.account ")).toEqual(["data", "account"]);
    for (const other of ["async.data.x", "event.data.a + '-'", "'x'", "event", ""]) {
      expect(() => parsePath(other)).toThrow("only equalities");
    }
  });
});

test("a condition on a value that the run's event lacks has no key, and one without a value has the common key", () => {
  expect(createWaitKey(parseCondition("event.data.missing == async.data.id"), event)).toBeNull();
  expect(createWaitKey([], event)).toBe("");
  expect(listWaitKeys({})).toEqual([""]);
});

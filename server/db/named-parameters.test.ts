import { expect, test } from "vitest";
import { numberParameters } from "./statement";

const names = ["id", "now", "account_id"];
const used = "WHERE g.id = :id AND g.account_id = :account_id AND now < :now";

test("numbers parameters in the order of their declaration", () => {
  expect(numberParameters(used, names)).toBe("WHERE g.id = $1 AND g.account_id = $3 AND now < $2");
});

test("repeats the number of a parameter that occurs again", () => {
  expect(numberParameters("SELECT :now, :now + :now", ["now"])).toBe("SELECT $1, $1 + $1");
});

test("keeps casts", () => {
  expect(numberParameters("SELECT :id::uuid, a::text, b :: int, :id::uuid[]", ["id"])).toBe(
    "SELECT $1::uuid, a::text, b :: int, $1::uuid[]",
  );
});

test.each([
  ["a text", "SELECT ':now it''s :now' || :id"],
  ["an escaped text", String.raw`SELECT E'it\'s :now' || :id`],
  ["a quoted name", 'SELECT ":now" + :id'],
  ["a line comment", "-- at :now, or it's later\nSELECT :id"],
  ["a comment", "/* at :now, or it's\n later */ SELECT :id"],
  ["a dollar quote", "SELECT $$ it's :now $$ || $body$ $$ :now $body$ || :id"],
  ["an assignment", "SELECT make_interval(hours := 1, days := :id)"],
  ["an array slice", "SELECT a[1:2] || :id"],
])("keeps %s", (_what, text) => {
  expect(numberParameters(text, ["id"])).toBe(text.replace(":id", "$1"));
});

test("rejects a name that is not declared", () => {
  expect(() => numberParameters("SELECT :id, :then", ["id"])).toThrow("the parameter :then is not declared in: SELECT");
});

test("rejects a parameter that is not used", () => {
  expect(() => numberParameters("SELECT :id -- at :now", ["id", "now"])).toThrow("the parameters now are declared but");
});

test("rejects a parameter that has a number", () => {
  expect(() => numberParameters("SELECT :id, $2", ["id"])).toThrow("$2 has no name in: SELECT");
  expect(numberParameters("SELECT :id, '$2' -- $2", ["id"])).toBe("SELECT $1, '$2' -- $2");
});

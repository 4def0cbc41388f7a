import { expect, test } from "vitest";
import { findKeys, readFilters } from "./read-filters";
import type { Key } from "./types";

const keyOf = (name: string, fields: Partial<Key> = {}) =>
  ({
    id: `id-${name}`,
    name,
    prefix: `service_sk_${name}`,
    spent: 0,
    last_used_at: null,
    revoked_at: null,
    created_at: "2026-01-01",
    ...fields,
  }) as Key;

const keys = [
  keyOf("beta", { spent: 2, created_at: "2026-01-02" }),
  keyOf("Alpha", { spent: 1, last_used_at: "2026-01-03" }),
  keyOf("gamma", { created_at: "2026-01-03" }),
  keyOf("old", { revoked_at: "2026-01-04" }),
];
const find = (search: Record<string, string>) =>
  findKeys(
    keys,
    readFilters((name) => search[name] ?? null),
  ).map(({ name }) => name);

test("keys are found by a part of their name, prefix or id", () => {
  expect(find({ q: "ALPHA" })).toEqual(["Alpha"]);
  expect(find({ q: "service_sk_be" })).toEqual(["beta"]);
  expect(find({ q: "id-gam" })).toEqual(["gamma"]);
  expect(find({ q: "old" })).toEqual([]);
  expect(find({ q: "old", status: "revoked" })).toEqual(["old"]);
});

test("keys are sorted as the URL says, and by default the newest comes first", () => {
  expect(find({})).toEqual(["gamma", "beta", "Alpha"]);
  expect(find({ sort: "toString" })).toEqual(["gamma", "beta", "Alpha"]);
  expect(find({ sort: "name" })).toEqual(["Alpha", "beta", "gamma"]);
  expect(find({ sort: "spent" })).toEqual(["beta", "Alpha", "gamma"]);
  expect(find({ sort: "used" })[0]).toBe("Alpha");
});

import { expect, test } from "vitest";
import type { Routing } from "../../catalogue/model";
import { routedCatalogue, type RouteOptions } from "../../../test/routed-hub";
import { sortRoutes } from "./sort-routes";

const IDS = Array.from({ length: 4_000 }, (_, n) => `generation ${n}`);

interface Setting {
  seconds?: Record<number, number>;
  costs?: Record<string, bigint>;
}

/** Returns the route that comes first for each id, and why. */
function firsts(routing: Routing, routes: RouteOptions[], { seconds = {}, costs = {} }: Setting = {}) {
  const model = routedCatalogue(routes, routing).get("routed")!;
  const find = (name: string, entry: number) => (name === model.id ? seconds[entry] : undefined);
  const hub = { services: { routeTimes: { find, refresh: async () => undefined } } } as unknown as Parameters<
    typeof sortRoutes
  >[0];
  const cost = ({ provider }: { provider: { id: string } }) => costs[provider.id] ?? null;
  return IDS.map((id) => {
    const sorted = sortRoutes(hub, { model, id, cost });
    expect(sorted.routes.toSorted((a, b) => a.id.localeCompare(b.id))).toEqual(
      model.routes.toSorted((a, b) => a.id.localeCompare(b.id)),
    );
    return {
      first: sorted.routes[0]!.provider.id,
      reason: sorted.reason,
      ids: sorted.routes.map(({ provider }) => provider.id),
    };
  });
}

const shareOf = (all: { first: string }[], id: string) => all.filter(({ first }) => first === id).length / all.length;

const keys: RouteOptions[] = [
  { provider: "a@ONE", entry: 0, limits: { keyWeight: 1 } },
  { provider: "a@TWO", entry: 0, limits: { keyWeight: 3 } },
  { provider: "b", entry: 1 },
];

test("keys of a provider share its work by weight, and stay before the next route", () => {
  const all = firsts("order", keys);
  expect(shareOf(all, "a@TWO")).toBeCloseTo(0.75, 1);
  expect(shareOf(all, "a@ONE")).toBeCloseTo(0.25, 1);
  expect(all.every(({ ids, reason }) => ids[2] === "b" && reason === "order")).toBe(true);
});

test("the same generation always has the same order", () => {
  expect(firsts("balanced", keys)).toEqual(firsts("balanced", keys));
});

test("balanced routes share the work by weight, whatever the number of their keys", () => {
  const all = firsts(
    "balanced",
    keys.map((route) => ({ ...route, weight: route.provider === "b" ? 2 : 1 })),
  );
  expect(shareOf(all, "b")).toBeCloseTo(2 / 3, 1);
  expect(shareOf(all, "a@TWO")).toBeCloseTo(0.25, 1);
  expect(all[0]!.reason).toBe("balanced");
});

test("the cheapest route comes first, one of unknown cost last", () => {
  const all = firsts("cheapest", [{ provider: "a" }, { provider: "b" }, { provider: "c" }], {
    costs: { b: 2n, c: 1n },
  });
  expect(all[0]).toMatchObject({ ids: ["c", "b", "a"], reason: "cheapest" });
});

test("the fastest route comes first", () => {
  const all = firsts("fastest", [{ provider: "a" }, { provider: "b" }], { seconds: { 0: 9, 1: 2 } });
  expect(all.every(({ ids, reason }) => ids[0] === "b" && reason === "fastest")).toBe(true);
});

test("a part of the work measures routes whose speed is not known; without any known, the order counts", () => {
  const routes = [{ provider: "a" }, { provider: "b" }];
  const all = firsts("fastest", routes, { seconds: { 1: 2 } });
  expect(shareOf(all, "a")).toBeCloseTo(0.05, 1);
  expect(shareOf(all, "a")).toBeGreaterThan(0.02);
  expect(all.every(({ first, reason }) => (first === "a") === (reason === "measuring"))).toBe(true);
  expect(firsts("fastest", routes).every(({ first }) => first === "a")).toBe(true);
});

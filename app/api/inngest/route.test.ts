import { createHmac } from "node:crypto";
import { NextRequest } from "next/server";
import { beforeEach, expect, test, vi } from "vitest";
import { shareHub } from "@/server/share-hub";
import { testHub } from "@/test/hub";

const KEY = "0123456789abcdef0123456789abcdef";

beforeEach(() => vi.resetModules());

const loadRoute = async (settings: Record<string, string>) => {
  shareHub(await testHub(settings));
  return import("./route");
};
const request = (method: string, body?: string, headers: Record<string, string> = {}) =>
  new NextRequest("http://hub.example/api/inngest?fnId=generation-hub-sweep&stepId=step", {
    method,
    body,
    headers: { host: "hub.example", ...headers },
  });

test("returns 404 without an Inngest server", async () => {
  const route = await loadRoute({});
  expect(Object.keys(route).sort()).toEqual(["GET", "POST", "PUT"]);
  for (const method of ["GET", "POST", "PUT"] as const) {
    const response = await route[method](request(method, method === "GET" ? undefined : "{}"));
    expect(response.status).toBe(404);
    expect(response.headers.get("content-type")).toBe("application/problem+json");
  }
});

test("rejects unsigned requests of an Inngest server", async () => {
  const route = await loadRoute({
    INNGEST_BASE_URL: "http://127.0.0.1:9",
    INNGEST_EVENT_KEY: "e",
    INNGEST_SIGNING_KEY: KEY,
  });
  const event = { data: {}, name: "unknown" };
  // The signature covers the body with its members in order.
  const body = JSON.stringify({ ctx: { attempt: 0, run_id: "r" }, event, events: [event], steps: {}, version: 2 });
  expect((await route.POST(request("POST", body))).status).toBe(401);
  expect((await route.GET(request("GET"))).status).toBe(401);

  const now = Math.round(Date.now() / 1000);
  const sign = (key: string) =>
    `t=${now}&s=${createHmac("sha256", key).update(body).update(String(now)).digest("hex")}`;
  const signed = (key: string) => route.POST(request("POST", body, { "x-inngest-signature": sign(key) }));
  expect((await signed("f".repeat(32))).status).toBe(401);
  expect((await signed(KEY)).status).not.toBe(401);
});

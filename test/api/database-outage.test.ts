import { expect, test } from "vitest";
import { openDb } from "../../server/db/client";
import { reservePort } from "../reserve-port";
import { callApi } from "./call";
import { newCustomer } from "./customer";
import { openOwnHost } from "./hosts";

const host = await openOwnHost();

test("while the database is down, only operations that need it respond with 503", async () => {
  const { key } = await newCustomer(host.hub);
  const { db } = host.hub;
  const nobody = openDb(`postgres://hub:test@127.0.0.1:${await reservePort()}/none`, 2);
  db.query = (text, values) => nobody.query(text, values);
  for (const path of ["/api/v1/me", "/api/v1/hub/generations", "/api/v1/hub/models", "/api/v1/ready"]) {
    const reply = await callApi(host, "GET", path, { key });
    expect(reply.body, path).toMatchObject({ code: "service_unavailable", status: 503 });
    expect(Number(reply.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
  }
  expect((await callApi(host, "GET", "/api/v1/health")).status).toBe(200);
  expect((await callApi(host, "GET", "/api/v1/me", { key: "garbage" })).status).toBe(401);
  await nobody.close();
});

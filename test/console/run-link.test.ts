import type { Hub } from "@/server/domain/hub";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { RunLink } from "@/app/(console)/generations/[id]/timeline";
import { insertManyWithHold } from "@/server/domain/generations/intake/insert-with-hold";
import { readEnv } from "@/server/env";
import { queuedGeneration } from "../generation-fixture";
import { deriveHub } from "../derive-hub";
import { testHub } from "../hub";
import { newConsoleUser } from "./console-user";

const RUN = "01M81J4SQ0CATJPYEEK6RYXV15";
const hub = await testHub();
const user = await newConsoleUser(hub);
const [queued, running] = [queuedGeneration(user.account, 1n), queuedGeneration(user.account, 1n)];
await insertManyWithHold(hub.db, [queued, running]);
await hub.db.query("UPDATE generation SET run_id = $2 WHERE id = $1", [running.id, RUN]);

/** Returns the link of a generation's page on a hub with these settings. */
async function readLink(settings: Record<string, string>, id = running.id): Promise<string | null> {
  const on: Hub = deriveHub(hub, { env: readEnv(settings) });
  return (await user.consoleOn(on).generations.get({ id })).run_url;
}

test("links a generation to its run on an Inngest server", async () => {
  const dashboard = { INNGEST_DEV: "1", INNGEST_DASHBOARD_URL: "http://localhost:8288" };
  expect(await readLink(dashboard)).toBe(`http://localhost:8288/run?runID=${RUN}`);
  expect(await readLink({ ...dashboard, INNGEST_DASHBOARD_URL: "https://ops.example/inngest/" })).toBe(
    `https://ops.example/inngest/run?runID=${RUN}`,
  );
  const cloud = "https://app.inngest.com/env/production/runs/{run}";
  expect(await readLink({ ...dashboard, INNGEST_DASHBOARD_URL: cloud })).toBe(cloud.replace("{run}", RUN));
  expect(await readLink(dashboard, queued.id)).toBeNull();
  expect(await readLink({ ...dashboard, INNGEST_DEV: "off" })).toBeNull();
  expect(await readLink({ INNGEST_DEV: "1" })).toBeNull();
});

test("the page opens the link in a new tab, or has none", () => {
  const url = `http://localhost:8288/run?runID=${RUN}`;
  const markup = renderToStaticMarkup(createElement(RunLink, { url }));
  expect(markup).toMatch(/^<a href="http:\/\/localhost:8288\/run\?runID=\w+" target="_blank" rel="noreferrer"/);
  expect(markup).toContain("View run in Inngest");
  expect(renderToStaticMarkup(createElement(RunLink, { url: null }))).toBe("");
});

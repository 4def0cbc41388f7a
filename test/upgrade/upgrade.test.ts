import { rm } from "node:fs/promises";
import path from "node:path";
import { decode, encode } from "next-auth/jwt";
import { afterAll, describe, expect, test, vi } from "vitest";
import { makeDataDir } from "../../e2e/data-dir";
import { startHub } from "../../e2e/server";
import { APP_ID } from "../../inngest/app-id";
import { createInngest } from "../../inngest/client";
import { retryRun } from "../../inngest/embedded/jobs";
import { createFunctions } from "../../inngest/functions";
import { openDb } from "../../server/db/client";
import { runAudit } from "../../server/domain/audit/audit";
import { SESSION_COOKIE, sessionSecret } from "../../server/lib/session-token";
import { newBrowser } from "../auth-browser";
import { reservePort } from "../reserve-port";
import { emptyDatabase } from "../database";
import { testHub } from "../hub";
import { soakCount } from "../soak";
import { verifyEverywhere } from "../webhooks/verify";
import { openReceiver } from "../webhooks/receiver";
import { type Fixture, fixtureSettings, suppliedPicture } from "./fixture";
import { loadFixture } from "./load-fixture";

// Whole processes start here, on a machine that may be busy.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 120_000 });

interface Generation {
  id: string;
  status: string;
  error: { code: string } | null;
}

// The older fixture has the same rows, and only six more migrations to apply, which never change.
const commits = ["bc99aaf", "4ff5a10"].slice(0, soakCount(1, 2));
const upgrades = await Promise.all(commits.map(upgrade));
afterAll(async () => {
  for (const { hub, db } of upgrades) {
    await hub.stop();
    await db.close();
    await rm(hub.dataDir, { recursive: true, force: true });
  }
});

/** Starts the built hub on the database and the files of an older one. */
async function upgrade(commit: string) {
  const receiver = await openReceiver();
  const databaseUrl = await emptyDatabase();
  const dataDir = await makeDataDir();
  const fixture = await loadFixture(commit, { databaseUrl, dataDir, receiver: receiver.host });
  const port = String(await reservePort());
  const NODE_EXTRA_CA_CERTS = path.resolve("test/authority/authority.cert.pem");
  const settings = { DATABASE_URL: databaseUrl, PORT: port, OUTBOUND_ALLOW_HOSTS: receiver.host, NODE_EXTRA_CA_CERTS };
  const hub = await startHub({ dataDir, env: { ...fixtureSettings, ...settings } });
  return { commit, fixture, receiver, hub, url: `http://127.0.0.1:${port}`, db: openDb(databaseUrl, 3) };
}

describe.each(upgrades)("a database of commit $commit goes on", ({ commit, fixture, receiver, url, db }) => {
  const call = (place: string, init: RequestInit = {}) =>
    fetch(`${url}/api/v1${place}`, {
      ...init,
      headers: { authorization: `Bearer ${fixture.key}`, ...(init.headers as Record<string, string> | undefined) },
    });
  const get = async <T = Generation>(place: string) => (await (await call(place)).json()) as T;
  const statusOf = async (id: string) => (await get(`/hub/generations/${id}`)).status;
  const create = (body: object, headers = {}) =>
    call("/hub/generations", {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    });
  /** Returns the first run of a generation. */
  const findRun = async (id: string) => {
    const sql =
      "SELECT id, status, result, ended_at FROM engine.run WHERE event -> 'data' ->> 'id' = $1 ORDER BY id LIMIT 1";
    const [run] = await db.query<{ id: string; status: string; result: unknown; ended_at: Date | null }>(sql, [id]);
    return run!;
  };

  test("running, waiting and interrupted generations reach their end", async () => {
    const { running, queued, stranded } = fixture.generations;
    await expect.poll(() => statusOf(running)).toBe("succeeded");
    await expect.poll(() => statusOf(queued)).toBe("succeeded");
    await expect.poll(() => statusOf(stranded)).toMatch(/succeeded|failed/);
    const training = () => get(`/hub/characters/${fixture.characters.training}`);
    await expect.poll(async () => (await training()).status, { timeout: 20_000 }).toBe("ready");
  });

  test("the run of a running generation goes on from its stored step results", async () => {
    const { running } = fixture.generations;
    await expect.poll(async () => (await findRun(running)).status).toBe("completed");
    // On a busy machine another run may take over first.
    const status = expect.stringMatching(/^(succeeded|superseded)$/) as string;
    expect((await findRun(running)).result).toMatchObject({ id: running, status });
  });

  test("a generation that waits for a file runs when the file is uploaded", async () => {
    const { supplied } = fixture.generations;
    expect(await statusOf(supplied)).toBe("awaiting_supply");
    const form = new FormData();
    form.append("file", new Blob([suppliedPicture], { type: "image/png" }), "pixel.png");
    expect((await call("/hub/files", { method: "POST", body: form })).status).toBe(201);
    await expect.poll(() => statusOf(supplied)).toBe("succeeded");
  });

  test("a failed job can be retried", async () => {
    const { broken } = fixture.generations;
    const failed = await findRun(broken);
    expect(await retryRun(db, failed.id)).toBe(true);
    await expect
      .poll(async () => (await findRun(broken)).ended_at?.getTime())
      .toBeGreaterThan(failed.ended_at!.getTime());
    expect(await findRun(broken)).toMatchObject({ status: "failed", result: { name: "GenerationFailed" } });
    expect(await get(`/hub/generations/${broken}`)).toMatchObject({ error: { code: "internal_error" } });
  });

  test("the old key, its idempotency keys, files, links and characters work", async () => {
    const { succeeded } = fixture.generations;
    const body = { model: "sandbox-image", input: { prompt: "a lighthouse", format: "webp" } };
    const replay = await create(body, { "idempotency-key": "first" });
    expect([replay.status, await replay.json()]).toEqual([200, expect.objectContaining({ id: succeeded })]);
    const link = new URL(fixture.signedLink);
    const picture = await fetch(url + link.pathname + link.search);
    expect([picture.status, picture.headers.get("content-type")]).toEqual([200, "image/webp"]);
    const portrait = await create({
      model: "sandbox-image",
      input: { prompt: "Ada", character: fixture.characters.ready, image_input: [fixture.output] },
    });
    const { id } = (await portrait.json()) as Generation;
    await expect.poll(() => statusOf(id)).toBe("succeeded");
  });

  test("the sealed webhook secret signs deliveries that were waiting for a retry", async () => {
    await expect.poll(() => receiver.events()).toContain("generation.running");
    await expect.poll(() => receiver.events()).toContain("generation.completed");
    for (const { headers, body } of receiver.received) await verifyEverywhere(fixture.webhookSecret, headers, body);
  });

  test("the old password signs in, and so does the cookie of a session that the hub can end", async () => {
    const old = newBrowser(url);
    old.jar.set(SESSION_COOKIE, await shiftCookie(fixture));
    // Cookies without a session id are rejected (docs/decisions/0018-console-sessions.md).
    const session = commit === "4ff5a10" ? {} : { user: { email: fixture.person.email } };
    expect(await old.session()).toMatchObject(session);
    const browser = newBrowser(url);
    await browser.post("/api/auth/callback/credentials", fixture.person);
    expect(await browser.session()).toMatchObject({ user: { email: fixture.person.email } });
  });

  test("the audit finds nothing", async () => {
    expect((await runAudit(db)).violations).toEqual([]);
  });

  test("no run is left of a function that no longer exists", async () => {
    const activeSql = "SELECT DISTINCT function_id FROM engine.run WHERE status = 'active' AND function_id <> ALL ($1)";
    const inngest = createInngest({ env: { inngest: false } });
    const functions = createFunctions(inngest, await testHub()).map((one) => one.id(APP_ID));
    expect(await db.query(activeSql, [functions])).toEqual([]);
  });
});

/** Returns the fixture's cookie with its times moved like those of the database. */
async function shiftCookie({ cookie, capturedAt, shiftMs }: Fixture & { shiftMs: number }): Promise<string> {
  const secret = sessionSecret(fixtureSettings.HUB_SECRET);
  vi.useFakeTimers({ now: Date.parse(capturedAt), toFake: ["Date"] });
  const claims = await decode({ token: cookie, secret }).finally(() => vi.useRealTimers());
  const shift = (seconds: unknown) => Number(seconds) + Math.floor(shiftMs / 1000);
  const { began, seen, ...rest } = claims!;
  return encode({ token: { ...rest, began: shift(began), seen: shift(seen) }, secret });
}

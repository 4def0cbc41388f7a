import { rm } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { runToEnd } from "../../e2e/server";
import { reservePort } from "../reserve-port";
import { emptyDatabase } from "../database";
import { buildImages, type Images } from "./build-image";
import { canMount, type ImageRun, makeVolume, runInImage, startImage } from "./run-image";
import { findMissing } from "./tools";

// Builds two images, which takes minutes: only under `npm run soak`.
vi.setConfig({ testTimeout: 600_000, hookTimeout: 3_000_000 });
const MAX_SLIM_BYTES = 300_000_000;
const MAX_STOP_MS = 3_000;

const missing = findMissing("buildah", "debootstrap", "unshare", "npm", "git");
const isPossible = Boolean(process.env.SOAK) && missing.length === 0 && (await canMount());
if (process.env.SOAK && !isPossible)
  process.stdout.write(`skipped, the images: ${missing.join(", ") || "the right to mount"} is missing\n`);

describe.skipIf(!isPossible)("the images", () => {
  let images: Images;
  const volumes: string[] = [];
  beforeAll(async () => {
    images = await buildImages();
  });
  afterAll(async () => {
    for (const folder of volumes) await rm(folder, { recursive: true, force: true });
    await images.remove();
  });
  const prepare = async (target: "hub" | "slim", env: Record<string, string>): Promise<ImageRun> => {
    const data = await makeVolume();
    volumes.push(data);
    const port = String(await reservePort());
    return {
      root: await images.mount(target),
      config: await images.inspect(target),
      data,
      env: { LOG_LEVEL: "warn", PORT: port, ...env },
    };
  };

  test("say how to run them, and the slim one is small", async () => {
    expect(await images.inspect("slim")).toMatchObject({
      User: "10001",
      Entrypoint: ["node", "dist/main.js"],
      WorkingDir: "/srv/hub",
      StopSignal: "SIGTERM",
      Volumes: { "/data": {} },
      Healthcheck: { Test: expect.arrayContaining(["CMD", "node"]) as string[] },
    });
    const bytes = await images.measure("slim");
    process.stdout.write(`slim: ${Math.round(bytes / 1e6)} MB compressed\n`);
    expect(bytes).toBeLessThan(MAX_SLIM_BYTES);
  });

  test("the slim one passes the tour on a read-only root, stops at once, and a restart keeps all", async () => {
    const secret = "a secret of at least thirty-two characters";
    const databaseUrl = await emptyDatabase();
    const run = await prepare("slim", { DATABASE_URL: databaseUrl, HUB_SECRET: secret, SANDBOX: "on" });
    const hub = await startImage(run);
    const settings = { DATABASE_URL: databaseUrl, HUB_SECRET: secret, PORT: run.env.PORT!, HUB_DATA_DIR: run.data };
    const tour = await runToEnd(["--import", "tsx", "scripts/tour/tour.ts"], settings);
    expect(tour).toMatchObject({ code: 0, stderr: "" });
    expect(await (await fetch(`${hub.url}/api/v1/version`)).json()).toMatchObject({ name: "generation-hub" });
    expect((await fetch(`${hub.url}/sign-in`)).status).toBe(200);
    const doctor = await runInImage(run, ["hub", "doctor"]);
    expect(doctor.output).toMatch(/^ok {4}node +Node v?24/m);
    expect(doctor).toMatchObject({ code: 0 });

    const began = performance.now();
    expect(await hub.stop()).toBe(0);
    expect(performance.now() - began).toBeLessThan(MAX_STOP_MS);
    const again = await startImage(run);
    expect(await runInImage(run, ["hub", "audit"])).toMatchObject({ code: 0 });
    expect((await runInImage(run, ["touch", "/srv/hub/x"])).output).toContain("Read-only file system");
    expect(again.output()).not.toContain("built the");
    expect(await again.stop()).toBe(0);
    await runInImage(run, ["rm", "-r", "/data/files"]);
  });

  test("the other one brings its Postgres, and its backup restores into a new volume", async () => {
    const run = await prepare("hub", {});
    const hub = await startImage(run);
    const key = /service_sk_\w+/.exec(hub.output())![0];
    const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
    const created = await fetch(`${hub.url}/api/v1/hub/generations`, {
      method: "POST",
      headers,
      body: JSON.stringify({ model: "sandbox-image", input: { prompt: "a lighthouse" } }),
    });
    expect(created.status).toBe(202);
    const { id } = (await created.json()) as { id: string };
    const statusAt = async (url: string) =>
      ((await (await fetch(`${url}/api/v1/hub/generations/${id}`, { headers })).json()) as { status: string }).status;
    await expect.poll(() => statusAt(hub.url), { timeout: 60_000 }).toBe("succeeded");
    expect(await runInImage(run, ["hub", "backup", "--to", "/data/backup.tar"])).toMatchObject({ code: 0 });
    expect(await hub.stop()).toBe(0);

    const twin = { ...run, env: { ...run.env, HUB_DATA_DIR: "/data/twin" } };
    const restored = await runInImage(twin, ["hub", "restore", "--from", "/data/backup.tar", "--without-tombstones"]);
    expect(restored.output).toContain("Everything adds up.");
    const second = await startImage(twin);
    expect(await statusAt(second.url)).toBe("succeeded");
    expect(await second.stop()).toBe(0);
  });
});

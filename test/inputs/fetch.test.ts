import { readdir } from "node:fs/promises";
import path from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import type { Account, Ctx } from "../../server/context";
import { runAudit } from "../../server/domain/audit/audit";
import { expireFiles } from "../../server/domain/files/expire";
import { listFiles } from "../../server/domain/files/list";
import type { Hub } from "../../server/domain/hub";
import { findSignedFile, type LinkSignature } from "../../server/domain/input-files/signed-url";
import { acceptUpload } from "../../server/domain/inputs/accept-upload";
import { cancelStoredGeneration } from "../../server/domain/generations/end/cancel";
import { getStoredGeneration } from "../../server/domain/generations/read/get";
import { startGeneration } from "../../server/domain/generations/intake/start";
import { fetchNextInput } from "../../server/domain/inputs/fetch-next-input";
import { redispatchFetches } from "../../server/domain/generations/queue/external-inputs";
import { claimJob } from "../../server/domain/workers/claim-job";
import { completeJob } from "../../server/domain/workers/complete-job";
import { leaseNextJob } from "../../server/domain/generations/run/lease";
import { newCustomer } from "../api/customer";
import { chunksOf } from "../file-hub";
import { testHub } from "../hub";
import { hashOf } from "../insert-file";
import { addGpuModels, newWorker } from "../workers/test-workers";
import { openExternalServer } from "./external-server";

const PICTURE = "\x89PNG\r\n\x1a\npicture";
let isHealthy = true;
const held = new Set<() => void>();
const externalServer = await openExternalServer({
  "/a": (_, response) => response.end(Buffer.from(PICTURE, "latin1")),
  "/b": (_, response) => response.end("b, in words"),
  "/flaky": (_, response) => response.writeHead(isHealthy ? 200 : 503).end("at last"),
  "/page": (_, response) => response.end("<html><script>"),
  "/empty": (_, response) => response.end(),
  "/large": (_, response) => response.end("x".repeat(5_001)),
  "/cut": (_, response) => response.writeHead(200, { "content-length": "100" }).write("half", () => response.destroy()),
  "/elsewhere": (_, response) => response.writeHead(302, { location: "/a" }).end(),
  "/held": (_, response) => void held.add(() => response.end("late")),
});
const hub = await testHub({
  BASE_URL: "https://hub.test",
  UPLOAD_MAX_BYTES: "5000",
  RUNNING_PER_ACCOUNT: "100",
  OUTBOUND_ALLOW_HOSTS: externalServer.host,
});
addGpuModels(hub);
const worker = await newWorker(hub);

async function newCtx(): Promise<Ctx<Hub>> {
  const { account } = await newCustomer(hub, { credit: 100 });
  return { hub, account: { id: account } as Account, actor: { kind: "user" }, requestId: "test" };
}
const ctx = await newCtx();
const queue = async (images: string[], by = ctx) =>
  (await startGeneration(by, { model: "gpu-a", input: { note: "see http://10.0.0.1/", images } }, null)).generation;
/** Runs the downloads as the engine does. */
async function fetchAll(id: string): Promise<void> {
  for (;;) {
    const now = await fetchNextInput(hub, id);
    if (now.next === "end") return;
    if (now.next === "pause") hub.clock.advance(now.seconds * 1_000);
  }
}
const claim = () => claimJob(hub, worker, { models: ["gpu-a"] });
const contents = async () => {
  const entries = await readdir(path.join(hub.folder, "files"), { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
};
const funds = async () =>
  (await hub.db.query<Record<string, bigint>>("SELECT reserved, upload_bytes FROM account WHERE id = $1", [ctx.account.id]))[0]!; // prettier-ignore

afterAll(async () => {
  expect((await runAudit(hub.db)).violations).toEqual([]);
});

describe("a worker's generation with external URLs", () => {
  test("can be claimed once they are downloaded, and its worker gets only links of the hub", async () => {
    const urls = ["/a", "/b"].map(externalServer.url);
    const { id, status } = await queue([...urls, urls[0]!]);
    expect(status).toBe("queued");
    expect(hub.published.at(-1)).toEqual({ name: "generation/inputs", data: { id, account: ctx.account.id } });
    expect(await claim()).toBeNull();
    expect(await fetchNextInput(hub, id)).toEqual({ next: "fetch" });
    expect(await claim()).toBeNull();
    await fetchAll(id);
    expect(["/a", "/b"].map(externalServer.count)).toEqual([1, 1]);

    const job = (await claim())!;
    expect(job.generation.id).toBe(id);
    const { caption, images } = job.generation.input as { caption: string; images: string[] };
    expect(caption).toBe("see http://10.0.0.1/");
    expect(images[2]).toBe(images[0]);
    const files = await Promise.all(images.map(openLink));
    expect(files.map(({ media_type }) => media_type)).toEqual(["image/png", "text/plain", "image/png"]);
    expect(files[1]!.sha256.toString("hex")).toBe(hashOf("b, in words"));
    await completeJob(hub, worker, job.lease.id, { fence: job.lease.fence, gpu_ms: 0 });
    await expect(openLink(images[0]!)).rejects.toMatchObject({ code: "resource_not_found" });
    await expireFiles(hub, 100);
    expect(await contents()).toEqual([]);
  });

  const openLink = (link: string) => {
    const { origin, pathname, searchParams } = new URL(link);
    expect(origin).toBe("https://hub.test");
    const query = Object.fromEntries(searchParams) as unknown as LinkSignature;
    return findSignedFile(hub, pathname.split("/").at(-1)!, query);
  };

  test("stores copies that are no uploads: they are not listed, not counted, and not found by hash", async () => {
    const { id } = await queue([externalServer.url("/b")]);
    await fetchAll(id);
    expect(await contents()).toHaveLength(1);
    expect((await listFiles(ctx, { limit: 10 })).data).toEqual([]);
    expect((await funds()).upload_bytes).toBe(0n);
    const { status } = await queue([`sha256:${hashOf("b, in words")}`]);
    expect(status).toBe("awaiting_supply");
    await cancelStoredGeneration(ctx, id);
    await expireFiles(hub, 100);
    expect(await contents()).toEqual([]);
  });

  test.each([
    ["a private address", () => "http://169.254.169.254/latest/meta-data", /not on the public internet/],
    ["the hub's own machine", () => "http://127.0.0.1:1/", /not on the public internet/],
    ["a name without a public address", () => "http://localhost/a", /not on the public internet/],
    ["an address that is missing", () => externalServer.url("/none"), /status 404/],
    ["an address that leads elsewhere", () => externalServer.url("/elsewhere"), /status 302/],
    ["a type that uploads do not have", () => externalServer.url("/page"), /looks like HTML/],
    ["nothing", () => externalServer.url("/empty"), /^The content of an input is empty/],
    ["more than an upload may have", () => externalServer.url("/large"), /larger than 5000 bytes/],
    ["a response that closes early", () => externalServer.url("/cut"), /closed early/],
  ])("fails before it starts for %s, and leaves neither a hold nor copies", async (_, url, message) => {
    const before = await funds();
    const { id } = await queue([externalServer.url("/a"), url()]);
    await fetchAll(id);
    const failed = await getStoredGeneration(ctx, id);
    expect(failed).toMatchObject({ status: "failed", started_at: null, billed_cost: null, fence: 0 });
    expect(failed.error).toMatchObject({
      code: "input_unavailable",
      message: expect.stringMatching(message) as string,
    });
    expect(await funds()).toEqual(before);
    expect(await claim()).toBeNull();
    await expireFiles(hub, 100);
    expect(await contents()).toEqual([]);
  });

  test("retries a URL that fails temporarily", async () => {
    isHealthy = false;
    const { id } = await queue([externalServer.url("/flaky")]);
    expect(await fetchNextInput(hub, id)).toEqual({ next: "pause", seconds: 1 });
    isHealthy = true;
    await fetchAll(id);
    expect((await claim())!.generation.id).toBe(id);
    await cancelStoredGeneration(ctx, id);
  });

  test("waits for missing uploads first", async () => {
    const content = "to be uploaded";
    const { id, status } = await queue([`sha256:${hashOf(content)}`, externalServer.url("/b")]);
    expect(status).toBe("awaiting_supply");
    await fetchAll(id);
    await acceptUpload(ctx, chunksOf(content));
    expect(hub.published.at(-1)).toEqual({ name: "generation/inputs", data: { id, account: ctx.account.id } });
    expect(await claim()).toBeNull();
    await fetchAll(id);
    expect((await claim())!.generation.id).toBe(id);
    await cancelStoredGeneration(ctx, id);
  });

  test("may name at most a hundred URLs", async () => {
    const images = Array.from({ length: 101 }, (_, n) => externalServer.url(`/b?${n}`));
    await expect(queue(images)).rejects.toMatchObject({
      extras: { errors: { "input.images.100": [expect.stringContaining("limit of 100") as string] } },
    });
  });

  test("cannot be claimed before the download", async () => {
    const { id } = await queue([externalServer.url("/a")]);
    await hub.db.query("UPDATE generation SET external_inputs = NULL WHERE id = $1", [id]);
    expect(await claim()).toBeNull();
    expect(await getStoredGeneration(ctx, id)).toMatchObject({
      status: "failed",
      error: { code: "input_unavailable" },
      billed_cost: 0n,
    });
  });
});

describe("downloading", () => {
  test("by several concurrent runs requests each URL once", async () => {
    const urls = Array.from({ length: 6 }, (_, n) => externalServer.url(`/b?once-${n}`));
    const { id } = await queue(urls);
    await Promise.all([1, 2, 3, 4].map(() => fetchAll(id)));
    expect(urls.map((url) => externalServer.count(url.slice(url.indexOf("/b"))))).toEqual(Array(6).fill(1));
    expect((await leaseNextJob(hub, worker, ["gpu-a"]))!.id).toBe(id);
    await cancelStoredGeneration(ctx, id);
  });

  test("continues after a crash: a killed run blocks the others for a limited time, and a lost event is repeated", async () => {
    const { id } = await queue([externalServer.url("/held"), externalServer.url("/b?crash")]);
    const interruptedFetch = fetchNextInput(hub, id);
    await expect.poll(() => held.size).toBe(1);
    await fetchAll(id);
    expect(await claim()).toBeNull();
    hub.published.length = 0;
    hub.clock.advance(130_000);
    expect(await redispatchFetches(hub, false)).toBe(1);
    expect(hub.published).toEqual([{ name: "generation/inputs", data: { id, account: ctx.account.id } }]);
    expect(await redispatchFetches(hub, false)).toBe(0);
    expect(await redispatchFetches(hub, true)).toBe(1);
    const second = fetchNextInput(hub, id);
    await expect.poll(() => held.size).toBe(2);
    for (const release of held) release();
    await Promise.all([interruptedFetch, second]);
    held.clear();
    await fetchAll(id);
    // Of two runs that stored the same copy, the later one keeps the other's content.
    const copies = await hub.db.query<{ id: string }>("SELECT id FROM input_copy WHERE generation_id = $1", [id]);
    expect(await contents()).toEqual(expect.arrayContaining(copies.map((copy) => copy.id)));
    expect((await claim())!.generation.id).toBe(id);
    await cancelStoredGeneration(ctx, id);
    await expireFiles(hub, 100);
  });

  test("leaves no copies of a generation that is canceled meanwhile", async () => {
    const before = await funds();
    const { id } = await queue([externalServer.url("/held")]);
    const fetching = fetchNextInput(hub, id);
    await expect.poll(() => held.size).toBe(1);
    await cancelStoredGeneration(ctx, id);
    await expireFiles(hub, 100);
    for (const release of held) release();
    await fetching;
    await fetchAll(id);
    await expireFiles(hub, 100);
    const uploaded = await hub.db.query<{ id: string }>("SELECT id FROM file");
    expect(await contents()).toEqual(uploaded.map((file) => file.id));
    expect(await hub.db.query("SELECT FROM input_copy")).toEqual([]);
    expect((await funds()).reserved).toBe(before.reserved);
  });
});

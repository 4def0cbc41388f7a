import { randomUUID } from "node:crypto";
import path from "node:path";
import type { Page } from "@playwright/test";
import { drawPicture } from "../server/providers/sandbox/draw";
import { Input } from "../server/providers/sandbox/input";
import { openDiskStorage } from "../server/storage/disk";
import { signInTo, signUp } from "./console";
import { expect, test } from "./journey";
import { observeShifts } from "./observe-shifts";
import { queryHub } from "./query-hub";
import { connectApi } from "../scripts/tour/api";

const PICTURES = 25;
const MAX_PAGE_BYTES = 400_000;

/** Gives an account generations with a picture of 1024 × 1024 each, as copies of one that is canceled and cost nothing. */
async function seedPictures(hub: { url: string; key: string; dataDir: string }, email: string): Promise<void> {
  const api = connectApi(hub.url, hub.key);
  const input = { prompt: "an orchard in bloom", image_input: [`sha256:${"cd".repeat(32)}`] };
  const { id } = (await api.post<{ id: string }>("/hub/generations", { model: "sandbox-image", input })).body;
  await api.post(`/hub/generations/${id}/cancel`, {});
  const io = { signal: new AbortController().signal, read: () => Promise.reject(new Error("there is no input")) };
  const picture = await drawPicture(Input.parse({ prompt: input.prompt }), io);
  expect(picture.length).toBeGreaterThan(100_000);
  const storage = await openDiskStorage(path.join(hub.dataDir, "files"));
  const files = Array.from({ length: PICTURES }, () => randomUUID());
  const [stored] = await Promise.all(files.map((file) => storage.put(file, yieldOnce(picture))));
  await queryHub(
    hub.dataDir,
    `WITH copied AS (
       INSERT INTO generation SELECT copy.* FROM generation g, account a, generate_series(1, ${PICTURES}) n,
         LATERAL jsonb_populate_record(g, jsonb_build_object('id', gen_random_uuid(), 'account_id', a.id, 'key_id', NULL, 'n', n)) copy
       WHERE g.id = $1 AND a.email = $2
       RETURNING id, account_id),
     numbered AS (SELECT *, row_number() OVER () AS n FROM copied)
     INSERT INTO file (id, account_id, generation_id, index, media_type, size, sha256, created_at, stored_at, expires_at)
     SELECT file.id, account_id, numbered.id, 0, 'image/png', $4, $5, now(), now(), now() + interval '30 days'
     FROM numbered JOIN unnest($3::uuid[]) WITH ORDINALITY AS file (id, n) USING (n)`,
    [id, email, files, stored!.size, stored!.sha256],
  );
}

async function* yieldOnce(content: Uint8Array) {
  yield content;
}

/** Counts what a page loads until it is scrolled to its end and all of its pictures have loaded. */
async function measurePage(page: Page, url: string) {
  const loads: Promise<number>[] = [];
  const files: string[] = [];
  page.on("requestfinished", (request) => {
    loads.push(request.sizes().then((sizes) => sizes.responseBodySize + sizes.responseHeadersSize));
    if (request.url().includes("/hub/files/")) files.push(new URL(request.url()).search);
  });
  await page.goto(url);
  const pictures = page.getByRole("main").locator("img");
  await expect(pictures.first()).toBeVisible();
  const [count, shift] = [await pictures.count(), await observeShifts(page)];
  await pictures.last().scrollIntoViewIfNeeded();
  await expect.poll(() => pictures.evaluateAll((all) => all.filter((one) => (one as HTMLImageElement).naturalWidth > 0).length)).toBe(count); // prettier-ignore
  const bytes = (await Promise.all(loads)).reduce((sum, size) => sum + size, 0);
  return { bytes, files, count, shift: await shift() };
}

test("lists of pictures of a megapixel load small thumbnails alone, on a phone", async ({ page, hub }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const { email } = await signUp(page, hub.url);
  await seedPictures(hub, email);
  for (const list of ["/generations", "/files"]) {
    // As on the first visit.
    const cold = await page.context().newCDPSession(page);
    await cold.send("Network.clearBrowserCache");
    const { bytes, files, count, shift } = await measurePage(page, hub.url + list);
    expect(count).toBeGreaterThanOrEqual(20);
    expect(new Set(files)).toEqual(new Set(["?w=128"]));
    expect(bytes, list).toBeLessThan(MAX_PAGE_BYTES);
    expect(shift, list).toBeLessThan(0.01);
  }
  // Thumbnails that load with the page fail before its scripts run.
  const broken = { contentType: "image/png", body: "no picture" };
  await page.route(/\?w=512$/, (route) => route.fulfill(broken));
  await page.goto(`${hub.url}/generations?view=grid`);
  const first = page.getByRole("main").getByRole("listitem").getByRole("link").first();
  await expect(first.locator("svg")).toBeVisible();
  await expect(first.locator("img")).toHaveCount(0);
});

test("a result is a thumbnail that opens in the lightbox, with its original to download", async ({ page, hub }) => {
  await signInTo(page, hub, "/playground?model=sandbox-image");
  await page.getByLabel("prompt *").fill("a mill by the river");
  await page.getByRole("button", { name: /^Run($| · )/ }).click();
  const result = page.getByRole("region", { name: "Result" });
  await expect(result.getByRole("status").first()).toHaveText("Succeeded", { timeout: 20_000 });
  const picture = result.getByRole("img", { name: "Output 1" });
  await expect.poll(() => picture.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBeGreaterThan(0);
  expect(await picture.evaluate((img: HTMLImageElement) => img.currentSrc)).toMatch(/\?w=512$/);
  await picture.click();
  const download = page.getByRole("dialog").getByRole("link", { name: "Download" });
  await expect(download).toHaveAttribute("href", /\/files\/[0-9a-f-]{36}$/);
});

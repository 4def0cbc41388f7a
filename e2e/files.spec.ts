import { makeMp4 } from "../test/media/mp4";
import { expectHydrated, expectUsable, readClipboard, signInTo, signUp } from "./console";
import { expect, test } from "./journey";
import { pixel } from "./pixel";

const text = (name: string, content: string) => ({ name, mimeType: "text/plain", buffer: Buffer.from(content) });

test("files are uploaded, copied by URL, opened and deleted", async ({ page, hub, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await signUp(page, hub.url, "/overview");
  await page.getByRole("link", { name: "Files", exact: true }).click();
  await expect(page.getByText("No files yet")).toBeVisible();
  const chooser = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Choose files" }).click();
  await (await chooser).setFiles([text("notes.txt", "hello"), text("list.json", '{"a":1}')]);
  await expect(page.getByText("Uploaded “list.json”.", { exact: true })).toBeVisible();
  const rows = page.getByRole("table", { name: "Files" }).locator("tbody tr");
  await expect(rows).toHaveCount(2);

  const notes = rows.filter({ hasText: "text/plain" });
  await expect(notes.getByRole("link", { name: "notes.txt", exact: true })).toBeVisible();
  await notes.getByRole("button", { name: "Copy input URL of notes.txt", exact: true }).click();
  await expect.poll(() => readClipboard(page)).toContain(hub.url);
  const url = await readClipboard(page);
  expect(await (await page.request.get(url)).text()).toBe("hello");
  await notes.getByRole("button", { name: /^Copy SHA-256 hash/ }).click();
  await expect(notes.getByRole("button", { name: "Copied notes.txt", exact: true })).toBeVisible();
  await expect
    .poll(() => readClipboard(page))
    .toBe("sha256:2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824");

  const download = page.waitForEvent("download");
  await notes.getByRole("link", { name: "Download notes.txt" }).click();
  expect((await download).suggestedFilename()).toBe("notes.txt");

  await page.getByRole("radio", { name: "Outputs" }).click();
  await expect(page.getByText("No files match these filters.")).toBeVisible();
  await page.getByRole("radio", { name: "Uploads" }).click();
  await notes.getByRole("button", { name: "Delete notes.txt" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Delete file" }).click();
  await expect(rows).toHaveCount(1);
  await expect(page.getByRole("group", { name: "Stored files" })).toBeFocused();
  expect((await page.request.get(url)).status()).toBe(410);
});

test("a file can be dropped, and a rejected one shows the reason", async ({ page, hub, consoleErrors }) => {
  await signUp(page, hub.url);
  await page.goto(`${hub.url}/files`);
  await expectHydrated(page);
  const drop = async (name: string, content: string) => {
    const transfer = await page.evaluateHandle(
      ([name, content]) => {
        const data = new DataTransfer();
        data.items.add(new File([content!], name!));
        return data;
      },
      [name, content],
    );
    await page.getByText("Drop files here").dispatchEvent("drop", { dataTransfer: transfer });
  };
  await drop("page.html", "<!doctype html><p>hello</p>");
  await expect(page.getByRole("alert").filter({ hasText: "The file " })).toBeVisible();
  // The browser logs the rejected upload.
  expect(consoleErrors.length).toBeGreaterThan(0);
  expect(consoleErrors.every((message) => /400/.test(message))).toBe(true);
  consoleErrors.length = 0;
  await drop("notes.txt", "hello");
  await expect(page.getByRole("row", { name: /text\/plain/ })).toBeVisible();
  await page.getByRole("button", { name: "Dismiss page.html" }).click();
  await expect(page.getByText("page.html")).toHaveCount(0);
});

test("files are found by name, type and source, selected and deleted together", async ({ page, hub }) => {
  await signUp(page, hub.url);
  const headers = { "X-Requested-With": "XMLHttpRequest" };
  const film = { name: "film.mp4", mimeType: "video/mp4", buffer: await makeMp4("#2b7bd9") };
  const files = [
    text("harbour notes.txt", "a"),
    text("list.json", "[]"),
    { ...pixel, name: "Harbour.png" },
    pixel,
    film,
  ];
  for (const file of files) await page.request.post(`${hub.url}/api/v1/hub/files`, { headers, multipart: { file } });
  await page.goto(`${hub.url}/files`);
  const rows = page.getByRole("table", { name: "Files" }).locator("tbody tr");
  await expect(rows).toHaveCount(5);
  await page.getByRole("searchbox", { name: "Search files by name" }).fill("harbour");
  await expect(rows).toHaveCount(2);
  await page.getByLabel("Type").selectOption("Images");
  await expect(rows).toHaveCount(1);
  await expect(page).toHaveURL(`${hub.url}/files?q=harbour&type=image`);
  await page.reload();
  await expect(rows).toHaveCount(1);
  await expect(rows).toContainText("Harbour.png");
  await page.getByRole("searchbox", { name: "Search files by name" }).fill("100%");
  await page.getByRole("button", { name: "Clear filters" }).click();
  await expect(rows).toHaveCount(5);

  await page.getByRole("radio", { name: "Grid" }).click();
  const tiles = page.getByRole("list", { name: "Files" }).getByRole("listitem");
  await expect(tiles).toHaveCount(5);
  const picture = tiles.filter({ hasText: "Harbour.png" }).locator("img");
  await expect.poll(() => picture.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(1);
  expect(await picture.evaluate((img: HTMLImageElement) => img.currentSrc)).toMatch(/\?w=512$/);
  const frame = tiles.filter({ hasText: "film.mp4" }).locator("video");
  await expect.poll(() => frame.evaluate((video: HTMLVideoElement) => video.readyState)).toBeGreaterThan(0);
  await page.getByRole("checkbox", { name: "Select list.json" }).check();
  await page.getByRole("checkbox", { name: "Select pixel.png" }).check();
  await expect(page.getByRole("group", { name: "Selected files" })).toContainText("2 selected");
  await expectUsable(page);
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Delete 2 files" }).click();
  await expect(page.getByText("2 files deleted.", { exact: true })).toBeVisible();
  await expect(tiles).toHaveCount(3);
  await expect(page.getByRole("group", { name: "Stored files" })).toBeFocused();

  await page.getByRole("radio", { name: "List" }).click();
  await page.getByRole("checkbox", { name: "Select all files" }).check();
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Delete 3 files" }).click();
  await expect(page.getByText("No files yet")).toBeVisible();
});

test("an output leads to its generation", async ({ page, hub, request }) => {
  const reply = await request.post(`${hub.url}/api/v1/hub/generations`, {
    headers: { Authorization: `Bearer ${hub.key}` },
    data: { model: "sandbox-image", input: { prompt: "a well in a yard" } },
  });
  const { id } = (await reply.json()) as { id: string };
  await signInTo(page, hub, "/files?source=output");
  const row = page.getByRole("row", { name: /sandbox-image-1\.png/ }).filter({ has: page.locator(`a[href$="${id}"]`) });
  await expect(async () => {
    await page.reload();
    await expect(row).toBeVisible({ timeout: 5_000 });
  }).toPass();
  await row.getByRole("link", { name: "View generation of sandbox-image-1.png" }).click();
  await expect(page).toHaveURL(`${hub.url}/generations/${id}`);
});

test("the files page fits a phone, also while it asks", async ({ page, hub }) => {
  await signUp(page, hub.url);
  const file = text("notes.txt", "hello");
  const headers = { "X-Requested-With": "XMLHttpRequest" };
  expect((await page.request.post(`${hub.url}/api/v1/hub/files`, { headers, multipart: { file } })).status()).toBe(201);
  await page.goto(`${hub.url}/files`);
  await expect(page.getByRole("row", { name: /text\/plain/ })).toBeVisible();
  await page.setViewportSize({ width: 360, height: 720 });
  await page.getByRole("button", { name: /^Delete/ }).click();
  await expect(page.getByRole("alertdialog")).toBeVisible();
  await page.keyboard.press("Escape");
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
});

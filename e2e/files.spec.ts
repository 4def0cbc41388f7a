import { expectAccessible, expectHydrated, signUp } from "./console";
import { expect, test } from "./journey";

const text = (name: string, content: string) => ({ name, mimeType: "text/plain", buffer: Buffer.from(content) });

test("files are uploaded, copied by URL, opened and deleted", async ({ page, hub, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await signUp(page, hub.url);
  await page.getByRole("link", { name: "Files", exact: true }).click();
  await expect(page.getByText("No files yet")).toBeVisible();
  const chooser = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Choose files" }).click();
  await (await chooser).setFiles([text("notes.txt", "hello"), text("list.json", '{"a":1}')]);
  await expect(page.getByText("Uploaded “list.json”.", { exact: true })).toBeVisible();
  const rows = page.getByRole("table", { name: "Files" }).locator("tbody tr");
  await expect(rows).toHaveCount(2);

  const notes = rows.filter({ hasText: "text/plain" });
  await notes.getByRole("button", { name: "Copy URL of text/plain, 5 bytes", exact: true }).click();
  const url = await page.evaluate(() => navigator.clipboard.readText());
  expect(await (await page.request.get(url)).text()).toBe("hello");
  await notes.getByRole("button", { name: /^Copy SHA-256 hash/ }).click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
    "sha256:2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824",
  );

  await page.getByRole("radio", { name: "Outputs" }).click();
  await expect(page.getByText("No outputs yet")).toBeVisible();
  await page.getByRole("radio", { name: "Uploads" }).click();
  await notes.getByRole("button", { name: /^Delete/ }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Delete file" }).click();
  await expect(rows).toHaveCount(1);
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

test("the files page is accessible, on a phone and in both themes", async ({ page, hub }) => {
  await signUp(page, hub.url);
  const file = text("notes.txt", "hello");
  const headers = { "X-Requested-With": "XMLHttpRequest" };
  expect((await page.request.post(`${hub.url}/api/v1/hub/files`, { headers, multipart: { file } })).status()).toBe(201);
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await page.goto(`${hub.url}/files`);
    await expect(page.getByRole("row", { name: /text\/plain/ })).toBeVisible();
    await expectAccessible(page);
  }
  await page.setViewportSize({ width: 360, height: 720 });
  await page.getByRole("button", { name: /^Delete/ }).click();
  await expect(page.getByRole("alertdialog")).toBeVisible();
  await page.keyboard.press("Escape");
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
});

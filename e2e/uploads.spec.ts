import { signLink } from "../server/domain/input-files/signed-url";
import { expect, test } from "./journey";

const payload = "window.top.ran = true; window.ran = true; document.title = 'ran'";
const html = `<script>${payload}</script><img src=x onerror="${payload}">`;
const latin1 = (text: string) => Buffer.from(text, "latin1");

/** Files whose first bytes are harmless but whose content is a page or a script. */
const polyglots: [string, string, Buffer][] = [
  ["a GIF that is HTML", "image/gif", latin1(`GIF89a/*${html}*/=1;${payload}`)],
  ["a GIF that is a script", "image/gif", latin1(`GIF89a=1;${payload}`)],
  ["a PDF that is HTML", "application/pdf", latin1(`%PDF-1.4\n<html>${html}</html>\n%%EOF`)],
  ["a JPEG that is a script", "image/jpeg", latin1(`\xff\xd8\xff\xe0/*\0\0*/=1;${payload}/*${html}*/`)],
  ["a text that holds a script", "text/plain", latin1(`${payload}\n//${html}`)],
  ["JSON that holds HTML", "application/json", latin1(JSON.stringify({ html }))],
];

test("HTML, XML and SVG are rejected", async ({ hub, request }) => {
  for (const content of [`<!doctype html>${html}`, `<?xml version="1.0"?>${html}`, `<svg onload="${payload}"></svg>`]) {
    const file = { name: "a.png", mimeType: "image/png", buffer: Buffer.from(content) };
    const headers = { Authorization: `Bearer ${hub.key}` };
    const reply = await request.post(`${hub.url}/api/v1/hub/files`, { headers, multipart: { file } });
    expect(reply.status()).toBe(400);
  }
});

test("the payload runs on an unprotected page", async ({ page, consoleErrors }) => {
  await page.setContent(html);
  expect(await page.evaluate(() => "ran" in window)).toBe(true);
  consoleErrors.length = 0;
});

for (const [name, mediaType, buffer] of polyglots) {
  test(`${name} runs nothing on our origin`, async ({ page, hub, request, consoleErrors }) => {
    const multipart = { file: { name: "a.html", mimeType: "text/html", buffer } };
    const headers = { Authorization: `Bearer ${hub.key}` };
    const reply = await request.post(`${hub.url}/api/v1/hub/files`, { headers, multipart });
    const { id, media_type } = (await reply.json()) as { id: string; media_type: string };
    expect([reply.status(), media_type]).toEqual([201, mediaType]);
    const link = signLink(hub.own, id, new Date(Date.now() + 60_000));

    // Opened directly, the file is shown as its type or downloaded.
    const saved = page.waitForEvent("download", { timeout: 3_000 }).catch(() => null);
    const opened = await page.goto(link).catch(() => null);
    expect(opened !== null || (await saved) !== null).toBe(true);
    expect(await page.title()).not.toBe("ran");
    expect(await page.evaluate(() => "ran" in window)).toBe(false);

    // Embedded in one of our own pages as a script, a frame and an object.
    await page.goto(hub.url);
    // Browsers fire no event for a blocked object, so it comes first and the test waits for the others.
    const framed = Promise.race([page.waitForEvent("framenavigated"), page.waitForEvent("download")]);
    const ended = await page.evaluate((src) => {
      const tags = ["embed", "iframe", "script"].map((tag) => Object.assign(document.createElement(tag), { src }));
      const end = new Promise<string>((resolve) => {
        for (const type of ["load", "error"]) tags[2]!.addEventListener(type, () => resolve(type));
      });
      document.body.append(...tags);
      return end;
    }, link);
    await framed;
    expect(ended).toBe("error");
    expect(await page.evaluate(() => "ran" in window)).toBe(false);
    // The browser logs that it blocked them; the object last.
    await expect.poll(() => consoleErrors.join()).toContain("object-src 'none'");
    // The frame's document may log after that, until it is gone.
    await page.goto("about:blank");
    consoleErrors.length = 0;
  });
}

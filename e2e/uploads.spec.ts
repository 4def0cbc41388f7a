import { signLink } from "../server/domain/files/signed-url";
import { expect, test } from "./journey";

const alarm = "window.top.ran = true; window.ran = true; document.title = 'ran'";
const html = `<script>${alarm}</script><img src=x onerror="${alarm}">`;
const latin1 = (text: string) => Buffer.from(text, "latin1");

/** Content that is one thing by its first bytes, and a page or a script to whoever does not look. */
const polyglots: [string, string, Buffer][] = [
  ["a GIF that is HTML", "image/gif", latin1(`GIF89a/*${html}*/=1;${alarm}`)],
  ["a GIF that is a script", "image/gif", latin1(`GIF89a=1;${alarm}`)],
  ["a PDF that is HTML", "application/pdf", latin1(`%PDF-1.4\n<html>${html}</html>\n%%EOF`)],
  ["a JPEG that is a script", "image/jpeg", latin1(`\xff\xd8\xff\xe0/*\0\0*/=1;${alarm}/*${html}*/`)],
  ["a text that holds a script", "text/plain", latin1(`${alarm}\n//${html}`)],
  ["JSON that holds HTML", "application/json", latin1(JSON.stringify({ html }))],
];

test("HTML, XML and SVG are not taken", async ({ hub, request }) => {
  for (const content of [`<!doctype html>${html}`, `<?xml version="1.0"?>${html}`, `<svg onload="${alarm}"></svg>`]) {
    const file = { name: "a.png", mimeType: "image/png", buffer: Buffer.from(content) };
    const headers = { Authorization: `Bearer ${hub.key}` };
    const reply = await request.post(`${hub.url}/api/v1/hub/files`, { headers, multipart: { file } });
    expect(reply.status()).toBe(400);
  }
});

test("the alarm is heard where nothing guards against it", async ({ page, complaints }) => {
  await page.setContent(html);
  expect(await page.evaluate(() => "ran" in window)).toBe(true);
  complaints.length = 0;
});

for (const [name, mediaType, buffer] of polyglots) {
  test(`${name} runs nothing on our origin`, async ({ page, hub, request, complaints }) => {
    const multipart = { file: { name: "a.html", mimeType: "text/html", buffer } };
    const headers = { Authorization: `Bearer ${hub.key}` };
    const reply = await request.post(`${hub.url}/api/v1/hub/files`, { headers, multipart });
    const { id, media_type } = (await reply.json()) as { id: string; media_type: string };
    expect([reply.status(), media_type]).toEqual([201, mediaType]);
    const link = signLink(hub.own, id, new Date(Date.now() + 60_000));

    // Opened by itself: shown as what it is, or saved.
    const saved = page.waitForEvent("download", { timeout: 3_000 }).catch(() => null);
    const opened = await page.goto(link).catch(() => null);
    expect(opened !== null || (await saved) !== null).toBe(true);
    expect(await page.title()).not.toBe("ran");
    expect(await page.evaluate(() => "ran" in window)).toBe(false);

    // Inside one of our own pages: as a script, in a frame and as an object.
    await page.goto(hub.url);
    // A browser does not tell the end of an object that the policy bars: it is first, and the others' end is waited for.
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
    // The browser says that it has blocked them, as it should; the object late.
    await expect.poll(() => complaints.join()).toContain("object-src 'none'");
    complaints.length = 0;
  });
}

import { createHash } from "node:crypto";
import { get } from "node:http";
import { failureCodes } from "../server/domain/generations/row/generation";
import { errorTable } from "../server/errors";
import { expect, test } from "./journey";

for (const colorScheme of ["light", "dark"] as const) {
  test.describe(colorScheme, () => {
    test.use({ colorScheme });

    test("the home page describes the product and links to the API", async ({ page, hub }) => {
      await page.goto(hub.url);
      await expect(page.getByRole("heading", { level: 1 })).toContainText("prepaid balance");
      const paper = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      const [red = 0] = paper.match(/\d+/g)!.map(Number);
      expect(red > 127).toBe(colorScheme === "light");
      await page.getByRole("link", { name: "API reference" }).click();
      await expect(page).toHaveURL(`${hub.url}/docs`);
      await expect(page.getByRole("heading", { level: 1, name: "API" })).toBeVisible();
    });
  });
}

test("the headers of the home page's example align, and a page that does not exist leads home", async ({
  page,
  hub,
  consoleErrors,
}) => {
  await page.setViewportSize({ width: 1_280, height: 800 });
  await page.goto(hub.url);
  const headers = page.getByRole("region", { name: "A first generation" }).locator("figcaption");
  const bottoms = await headers.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().bottom));
  expect(bottoms).toEqual([bottoms[0], bottoms[0]]);
  await page.goto(`${hub.url}/nothing`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Page not found");
  // The browser logs the missing page.
  expect(consoleErrors.filter((message) => !/404/.test(message))).toEqual([]);
  consoleErrors.length = 0;
  await page.getByRole("link", { name: "Generation Hub" }).click();
  await expect(page).toHaveURL(`${hub.url}/`);
});

test("a narrow window never scrolls sideways, whatever an entry has", async ({ page, hub }) => {
  await page.setViewportSize({ width: 360, height: 720 });
  for (const path of ["/docs/api/characters", "/docs/api/schemas", "/docs/hub/errors"]) {
    await page.goto(hub.url + path);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
  }
});

test("scripts are compressed as the client accepts and cached", async ({ hub, request }) => {
  const html = await (await request.get(hub.url)).text();
  const script = hub.url + /\/_next\/static\/[^"]+\.js/.exec(html)![0];
  const fetched = async (encoding: string) => {
    const response = await request.get(script, { headers: { "accept-encoding": encoding } });
    return { text: await response.text(), headers: response.headers(), status: response.status() };
  };
  const plain = await fetched("identity");
  expect(plain.headers["content-encoding"]).toBeUndefined();
  for (const encoding of ["br", "gzip"]) {
    const { status, headers, text } = await fetched(encoding);
    expect({ status, text }).toEqual({ status: 200, text: plain.text });
    expect(headers).toMatchObject({
      "content-encoding": encoding,
      "cache-control": "public,max-age=31536000,immutable",
      "x-content-type-options": "nosniff",
      vary: expect.stringMatching(/Accept-Encoding/i),
    });
    expect(Number(headers["content-length"])).toBeLessThan(plain.text.length / 2);
  }
});

test("pages are compressed and load their scripts under their own policy", async ({ hub, request }) => {
  for (const [requested, encoding] of [
    ["identity", undefined],
    ["gzip", "gzip"],
    ["br", "br"],
  ] as const) {
    const reply = await request.get(hub.url, { headers: { "accept-encoding": requested } });
    const headers = reply.headers();
    expect({ requested, encoding: headers["content-encoding"], status: reply.status() }).toEqual({
      requested,
      encoding,
      status: 200,
    });
    expect(headers.vary).toMatch(/Accept-Encoding/i);
    const policy = headers["content-security-policy"]!;
    expect(policy).not.toMatch(/nonce|unsafe-eval|strict-dynamic/);
    const html = await reply.text();
    for (const [, attributes, script] of html.matchAll(/<script\b([^>]*)>([^]*?)<\/script>/g)) {
      if (/ src="\/_next\/static\//.test(attributes!)) continue;
      expect(policy).toContain(`'sha256-${createHash("sha256").update(script!).digest("base64")}'`);
    }
  }
});

test("pages that are the same for everybody are sent once, until the visitor signs in or changes the theme", async ({
  hub,
  request,
}) => {
  const read = async (headers: Record<string, string>, path = "/docs") => {
    const reply = await request.get(hub.url + path, { headers });
    return { status: reply.status(), headers: reply.headers(), html: await reply.text() };
  };
  const first = await read({});
  const { etag } = first.headers;
  expect(await read({ cookie: "other=1", "if-none-match": etag! })).toMatchObject({ status: 304, headers: { etag } });
  const dark = await read({ cookie: "theme=dark", "if-none-match": etag! });
  expect([dark.status, dark.html.includes('data-theme="dark"')]).toEqual([200, true]);
  for (const path of ["/nothing", "/docs/api/nothing"]) {
    const missing = await read({}, path);
    expect([missing.status, missing.html.includes("Page not found")]).toEqual([404, true]);
  }
});

test("only scripts and styles of the build are served", async ({ hub }) => {
  for (const path of ["none.js", "../BUILD_ID", "%2e%2e/BUILD_ID", "..%2fBUILD_ID", "../../package.json", "chunks"]) {
    const status = await new Promise((resolve, reject) => {
      // `fetch` would normalize the path.
      const { hostname, port } = new URL(hub.url);
      get({ hostname, port, path: `/_next/static/${path}` }, (response) => {
        response.resume();
        resolve(response.statusCode);
      }).on("error", reject);
    });
    expect([400, 404], path).toContain(status);
  }
});

test("every error code has its anchor", async ({ page, hub }) => {
  await page.goto(`${hub.url}/docs/hub/errors`);
  for (const code of Object.keys(errorTable)) {
    await expect(page.locator(`#${code}`).getByRole("heading")).toContainText(code);
  }
  for (const code of failureCodes) {
    await expect(page.locator(`#failed-${code}`).getByRole("heading")).toContainText(code);
  }
});

test("every link of the reference leads to a page and an anchor", async ({ page, hub, request }) => {
  const found = new Map<string, Set<string>>();
  for (const path of ["/docs", "/docs/api/generations", "/docs/api/schemas"]) {
    await page.goto(hub.url + path);
    const links = await page.evaluate(() => [...document.links].map(({ pathname, hash }) => [pathname, hash] as const));
    for (const [pathname, hash] of links) found.set(pathname, (found.get(pathname) ?? new Set()).add(hash.slice(1)));
  }
  expect(found.size).toBeGreaterThan(15);
  for (const [pathname, anchors] of found) {
    const reply = await request.get(hub.url + pathname);
    const html = await reply.text();
    const dangling = [...anchors].filter((anchor) => anchor !== "" && !html.includes(`id="${anchor}"`));
    expect({ pathname, status: reply.status(), dangling }).toEqual({ pathname, status: 200, dangling: [] });
  }
});

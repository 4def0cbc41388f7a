import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { lateScripts } from "./late-scripts";
import { rewritePage } from "./rewrite-page";

const script = (url: string, attributes: string) => `<script src="${url}"${attributes}></script>`;

test("announces a page's scripts to the browser without loading them, and keeps the rest of the page", () => {
  const head = `<html><head><link rel="stylesheet" href="/a.css"/>`;
  const preload = `<link rel="preload" as="script" fetchPriority="low" nonce="n1" href="/a.js"/>`;
  const old = script("/old.js", ' noModule=""');
  const inline = `<script nonce="n1">go(1)</script>`;
  const html = `${head}${preload}${script("/a.js", ' async="" nonce="n1"')}${old}</head><body><p>Hello</p>${inline}${script("/b.js", ' nonce="n1" async=""')}</body></html>`;
  const late = lateScripts(html);
  const loader = late.slice(late.lastIndexOf('<script nonce="n1">'), late.indexOf("</body>"));
  expect(loader).toContain('["/a.js","/b.js"]');
  expect(late).toBe(`${head}${old}</head><body><p>Hello</p>${inline}${loader}</body></html>`);
});

const failed = `<html id="__next_error__"><head>${script("/a.js", ' async=""')}</head><body></body></html>`;
test.each(["", "<p>Hello</p>", "<html><body>Hello</body></html>", script("/a.js", ' async=""'), failed])(
  "leaves %j unchanged, which is no page or has no scripts",
  (html) => {
    expect(lateScripts(html)).toBe(html);
  },
);

let close = () => {};
afterEach(() => close());

async function ask(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const server = createServer((request, response) => {
    rewritePage(response, (html) => html.toUpperCase());
    answer(request, response);
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  close = () => void server.close().closeAllConnections();
  return fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
}

test("rewrites a whole page, in whatever chunks it is written", async () => {
  const reply = await ask((_, response) => {
    const é = Buffer.from("é");
    response.setHeader("content-type", "text/html; charset=utf-8").setHeader("content-length", 7);
    response.write("<p>");
    response.write(é.subarray(0, 1));
    response.write(é.subarray(1));
    response.end("</p>");
  });
  expect(await reply.text()).toBe("<P>É</P>");
});

test("passes other content on unchanged, as it arrives", async () => {
  let finish = () => {};
  const reply = await ask((_, response) => {
    response.setHeader("content-type", "text/csv").write("a,b\n");
    finish = () => response.end("c,d\n");
  });
  const reader = reply.body!.pipeThrough(new TextDecoderStream()).getReader();
  expect(await reader.read()).toEqual({ done: false, value: "a,b\n" });
  finish();
  expect(await reader.read()).toEqual({ done: false, value: "c,d\n" });
});

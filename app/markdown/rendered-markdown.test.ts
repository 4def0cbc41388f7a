import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { RenderedMarkdown } from "./rendered-markdown";

const render = (text: string) => renderToStaticMarkup(createElement(RenderedMarkdown, { text }));

test("Markdown becomes elements", () => {
  expect(render("# Title\n\n- **a**\n- `b`\n\n1. one")).toContain(
    "<h3>Title</h3><ul><li><strong>a</strong></li><li><code>b</code></li></ul><ol",
  );
  expect(render("| a | b |\n|:-|-:|\n| 1 | 2 |")).toContain('<td class="text-right">2</td>');
  const code = render("```js\nlet a = 1 < 2;\n```");
  expect(code).toContain("let a = 1 &lt; 2;");
  expect(code).toContain("Copy code");
});

test("links are safe, and only those to other hosts are links", () => {
  expect(render("[a](https://example.org/x)")).toContain(
    '<a href="https://example.org/x" target="_blank" rel="noreferrer nofollow noopener">a</a>',
  );
  for (const url of ["javascript:alert(1)", "JaVaScRiPt:alert(1)", "data:text/html,x", "/sign-out", "//example.org"])
    expect(render(`[a](${url})`)).not.toContain("<a");
});

test("HTML is text, images are links, and nothing has an id, a style or a script", () => {
  const text = [
    "# main\n\n<script>alert(1)</script> <img src=x onerror=alert(1)> <div style='x' id='y'>z</div>",
    "![pixel](https://example.org/p.png)\n\nnote[^1]\n\n[^1]: end\n\n| a |\n|:-:|\n| 1 |",
  ].join("\n\n");
  const html = render(text);
  expect(html).toContain("&lt;script&gt;");
  expect(html).toContain('<a href="https://example.org/p.png"');
  expect(html).not.toMatch(/<img|<script|<link|<[^>]*\s(?:id|style|onerror)=/);
});

test.each([
  "[".repeat(50_000),
  "*a **a ".repeat(7_000),
  ">".repeat(50_000),
  "`a``".repeat(12_000),
  "![".repeat(25_000),
])("the text %# is rendered in bounded time", (text) => {
  const began = performance.now();
  render(text);
  expect(performance.now() - began).toBeLessThan(5_000);
});

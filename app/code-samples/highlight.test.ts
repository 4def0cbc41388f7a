import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { Highlighted } from "./highlight";

const render = (code: string) => renderToStaticMarkup(createElement(Highlighted, { code }));
const colored = (code: string) =>
  [...render(code).matchAll(/<span class="text-(\w+)">([^<]*)<\/span>/g)].map(([, color, text]) => `${color} ${text}`);

test("colours comments, strings, keywords and numbers, and changes no text", () => {
  const code = "const wait = 250; // It is \"short\".\nfetch(`${base}/v1`, { body: 'a' });";
  expect(colored(code)).toEqual([
    "accent const",
    "warning 250",
    "soft // It is &quot;short&quot;.",
    "good `${base}/v1`",
    "good &#x27;a&#x27;",
  ]);
  expect(render(code).replace(/<[^>]*>/g, "")).toBe(renderToStaticMarkup(createElement("i", null, code)).slice(3, -4));
});

test("a URL is no comment, and a body in quotes is one string over several lines", () => {
  expect(colored("curl https://hub.example/v1 # now")).toEqual(["soft # now"]);
  expect(colored("-d '{\n  \"n\": 1\n}'")).toEqual(["good &#x27;{\n  &quot;n&quot;: 1\n}&#x27;"]);
});

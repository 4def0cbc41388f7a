import { expect, test } from "vitest";
import { contentDisposition } from "./content";

test.each([
  [null, "inline"],
  ["a b.png", 'inline; filename="a b.png"'],
  ["näme (1).png", "inline; filename=\"n_me (1).png\"; filename*=UTF-8''n%C3%A4me%20%281%29.png"],
  ['a "b" 5%.png', "inline; filename=\"a _b_ 5_.png\"; filename*=UTF-8''a%20%22b%22%205%25.png"],
])("names %j", (name, header) => {
  expect(contentDisposition("inline", name)).toBe(header);
});

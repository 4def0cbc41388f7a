import { Search } from "lucide-react";
import { expect, test } from "vitest";
import { matchItems } from "./items";

test("items match by every word of label and hint, up to a number", () => {
  const items = ["Create API key", "API keys", "Models"].map((label) => ({ id: label, label, hint: "a page", Icon: Search, action: "/" })); // prettier-ignore
  const labels = (text: string, max = 9) => matchItems(items, text, max).map(({ label }) => label);
  expect(labels(" KEY  api")).toEqual(["Create API key", "API keys"]);
  expect(labels("key", 1)).toEqual(["Create API key"]);
  expect(labels("page models")).toEqual(["Models"]);
  expect(labels("")).toHaveLength(3);
  expect(labels("nothing")).toEqual([]);
});

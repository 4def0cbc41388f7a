import { expect, test } from "vitest";
import { findShortcut, isPaletteKey } from "./shortcuts";
import { consolePages } from "./pages";

test("g and a letter open a page, and no two pages share a letter", () => {
  expect(findShortcut({ key: "g", isPrefixed: false })).toBe("prefix");
  expect(findShortcut({ key: "g", isPrefixed: true })).toEqual({ go: "/generations" });
  expect(findShortcut({ key: "M", isPrefixed: true })).toEqual({ go: "/models" });
  expect(findShortcut({ key: "z", isPrefixed: true })).toBeNull();
  const letters = consolePages.flatMap(({ letter }) => letter ?? []);
  expect(new Set(letters).size).toBe(letters.length);
});

test("other keys search, list the shortcuts, or do nothing", () => {
  const find = (key: string) => findShortcut({ key, isPrefixed: false });
  expect([find("/"), find("?"), find("m"), find("Enter")]).toEqual(["search", "shortcuts", null, null]);
});

test("the palette opens by Ctrl+K, and by ⌘K on a Mac", () => {
  const key = { key: "k", ctrlKey: false, metaKey: false, altKey: false, shiftKey: false };
  const [ctrl, meta] = [
    { ...key, ctrlKey: true },
    { ...key, metaKey: true },
  ];
  expect([isPaletteKey(ctrl, false), isPaletteKey(meta, false)]).toEqual([true, false]);
  expect([isPaletteKey(ctrl, true), isPaletteKey(meta, true)]).toEqual([false, true]);
  expect(isPaletteKey({ ...ctrl, shiftKey: true }, false)).toBe(false);
  expect(isPaletteKey({ ...ctrl, key: "j" }, false)).toBe(false);
});

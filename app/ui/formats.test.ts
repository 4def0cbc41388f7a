import { expect, test } from "vitest";
import { readAcceptedLocale, readFormatsCookie, resolveFormats, toLocale, writeFormatsCookie } from "./format-settings";
import { defaultFormats, getFormats } from "./formats";

test.each([
  [-5, "0 ms"],
  [819.6, "820 ms"],
  [1_000, "1.0 s"],
  [59_949, "59.9 s"],
  [59_950, "1 min 0 s"],
  [125_000, "2 min 5 s"],
  [3_599_600, "1 h 0 min"],
  [3_780_000, "1 h 3 min"],
])("%d ms is %s", (ms, words) => {
  expect(defaultFormats.duration(ms)).toBe(words);
});

test.each([
  [0, "0 bytes"],
  [1_023, "1,023 bytes"],
  [1_024, "1 KiB"],
  [1_536, "1.5 KiB"],
  [52_428_800, "50 MiB"],
  [5 * 1024 ** 4, "5,120 GiB"],
])("%d is %s", (bytes, words) => {
  expect(defaultFormats.bytes(bytes)).toBe(words);
});

test("amounts, numbers and times follow the locale and the time zone", () => {
  const german = getFormats({ locale: "de-DE", timeZone: "Europe/Berlin" });
  expect(german.euros(1234.5, 2, 4)).toBe("1.234,50\u00a0€");
  expect(german.bytes(1_536)).toBe("1,5 KiB");
  expect(german.duration(3_400)).toBe("3,4 s");
  expect(german.dateTime("2026-12-31T23:30:00.000Z")).toBe("01.01.2027, 00:30:00");
  expect(german.day("2026-12-31")).toBe("31.12.2026");
  expect(defaultFormats.dateTime("2026-12-31T23:30:00.000Z")).toBe("Dec 31, 2026, 11:30:00 PM");
  expect(getFormats({ locale: "ar-EG", timeZone: "UTC" }).number(1234)).toMatch(/1.?234/);
});

test("a choice overrides the browser, for each setting alone", () => {
  const browser = readFormatsCookie("de-DE|Europe/Berlin");
  expect(resolveFormats(readFormatsCookie("en-GB|"), browser)).toEqual({ locale: "en-GB", timeZone: "Europe/Berlin" });
  expect(resolveFormats(readFormatsCookie(undefined), readFormatsCookie(""))).toEqual({
    locale: "en",
    timeZone: "UTC",
  });
  expect(readFormatsCookie(decodeURIComponent(writeFormatsCookie(browser)))).toEqual(browser);
});

test("settings that no formatter accepts are left out", () => {
  expect(readFormatsCookie("x|Mars/Olympus")).toEqual({ locale: null, timeZone: null });
  expect(readFormatsCookie(`de-${"a".repeat(100)}|${"Z".repeat(100)}`)).toEqual({ locale: null, timeZone: null });
  expect(toLocale("de-DE-u-nu-arab")).toBe("de-DE");
  expect(readAcceptedLocale("de-AT,de;q=0.9,en;q=0.8")).toBe("de-AT");
  expect(readAcceptedLocale("*")).toBeNull();
});

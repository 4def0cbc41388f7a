import { beforeEach, expect, test, vi } from "vitest";
import { clearLocalData, readList, writeList } from "./local-data";

beforeEach(() => {
  const values = new Map<string, string>();
  const storage = new Proxy(
    {
      getItem: (name: string) => values.get(name) ?? null,
      setItem: (name: string, value: string) => values.set(name, value),
      removeItem: (name: string) => values.delete(name),
    },
    {
      ownKeys: () => [...values.keys()],
      getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
    },
  );
  vi.stubGlobal("localStorage", storage);
});

const bounds = { maxItems: 3, maxLength: 20 };

test("a list is kept for its account alone", () => {
  writeList(1, "drafts", ["a"], bounds);
  expect(readList(1, "drafts")).toEqual(["a"]);
  expect(readList(2, "drafts")).toEqual([]);
});

test("the last items are dropped beyond a count and a length", () => {
  writeList(1, "drafts", [1, 2, 3, 4], bounds);
  expect(readList(1, "drafts")).toEqual([1, 2, 3]);
  writeList(1, "drafts", ["x".repeat(10), "y".repeat(10)], bounds);
  expect(readList(1, "drafts")).toEqual(["x".repeat(10)]);
});

test("a value that is no list counts as none", () => {
  localStorage.setItem("hub:1:1:drafts", "{");
  expect(readList(1, "drafts")).toEqual([]);
  localStorage.setItem("hub:1:1:drafts", "{}");
  expect(readList(1, "drafts")).toEqual([]);
});

test("signing out removes the data of every account, and leaves other data alone", () => {
  writeList(1, "drafts", ["a"], bounds);
  writeList(2, "chats", ["b"], bounds);
  localStorage.setItem("other", "1");
  clearLocalData();
  // A page that is being left writes its drafts.
  writeList(1, "drafts", ["a"], bounds);
  expect([readList(1, "drafts"), readList(2, "chats"), localStorage.getItem("other")]).toEqual([[], [], "1"]);
});

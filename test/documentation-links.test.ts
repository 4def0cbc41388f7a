import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";

const folders = [
  "app",
  "bench",
  "clients",
  "docs",
  "e2e",
  "examples",
  "inngest",
  "prisma",
  "scripts",
  "server",
  "test",
];

function listFiles(folder: string, pattern: RegExp): string[] {
  return readdirSync(folder, { recursive: folder !== ".", encoding: "utf8" })
    .map((name) => path.posix.join(folder, name.replaceAll(path.sep, "/")))
    .filter((name) => pattern.test(name) && !/(^|\/)(node_modules|\.next)\/|^prisma\/client\//.test(name));
}

const pages = [".", ".github", "clients", "docs"].flatMap((folder) => listFiles(folder, /\.md$/));
/** Returns whether a link of a page leads to a file that exists, and to a heading of it. */
function resolves(page: string, link: string): boolean {
  const [name, fragment] = link.split("#");
  const file = name ? path.join(path.dirname(page), decodeURI(name)) : page;
  return existsSync(file) && (!fragment || !file.endsWith(".md") || listAnchors(file).has(fragment));
}

/** Returns the fragments of a page's headings, by GitHub's rules: repeated ones are numbered. */
function listAnchors(file: string): Set<string> {
  const text = readFileSync(file, "utf8").replace(/^```[^]*?^```/gm, "");
  const counts = new Map<string, number>();
  const anchors = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading]) => {
    const words = heading!.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").toLowerCase();
    const anchor = words.replace(/[^\p{L}\p{N}\s_-]/gu, "").replace(/\s/g, "-");
    const count = counts.get(anchor) ?? 0;
    counts.set(anchor, count + 1);
    return count === 0 ? anchor : `${anchor}-${count}`;
  });
  return new Set(anchors);
}

const records = readdirSync("docs/decisions").filter((name) => /^\d{4}-/.test(name));

describe.each(pages)("%s", (page) => {
  const text = readFileSync(page, "utf8").replace(/^```[^]*?^```/gm, "");

  test("links to files and headings that exist", () => {
    const targets = [...text.matchAll(/\]\(([^)\s]+)[^)]*\)|\b(?:href|src)="([^"…]+)"|^\[[^\]]+\]: (\S+)/gm)].map(
      ([, inline, html, reference]) => (inline ?? html ?? reference)!,
    );
    const own = targets.filter((target) => !/^[a-z]+:/.test(target));
    expect(own.filter((target) => !resolves(page, target))).toEqual([]);
  });

  test("names files and folders that exist", () => {
    const named = [...text.matchAll(/`([\w.[\]()/-]+)`/g)].map(([, name]) => name!);
    // Placeholders such as `server/trpc/<page>.ts` do not match, nor do folders that a build or an operator creates.
    const own = named.filter((name) => folders.some((folder) => name.startsWith(`${folder}/`)));
    expect(own.filter((name) => !existsSync(name))).toEqual([]);
  });
});

test("sources cite documents that exist", () => {
  const sources = folders.flatMap((folder) => listFiles(folder, /\.(tsx?|mjs|sql|prisma)$/));
  const missing = [...sources, ".env.example"].flatMap((source) => {
    const text = readFileSync(source, "utf8");
    const cited = [...text.matchAll(/\bdocs\/[\w/-]+\.md\b(?:#[\w-]+)?/g)].map(([name]) => name);
    // Migrations are never edited, so they may name a record by its number alone.
    const numbers = [...text.matchAll(/\bdocs\/decisions\/(\d{4}[\w-]*)|\bdecision (\d+)\b/g)].map(
      ([, name, number]) => name ?? `${number!.padStart(4, "0")}-`,
    );
    return [
      ...cited.filter((name) => !resolves("README.md", name)),
      ...numbers.filter((start) => !records.some((record) => record.startsWith(start))),
    ].map((name) => `${source}: ${name}`);
  });
  expect(missing).toEqual([]);
});

test("links of the pages lead to pages that exist", () => {
  const routes = listFiles("app", /\/(page\.tsx|route\.ts)$/).map((file) =>
    path.posix
      .dirname(file)
      .replace(/^app/, "")
      .replaceAll(/\/\([^)]*\)/g, ""),
  );
  const pages = new RegExp(`^(${routes.map((route) => route.replaceAll(/\[[^\]]*\]/g, "[^/]+")).join("|")})$`);
  const links = listFiles("app", /\.tsx?$/).flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(/\bhref(?:=|: )\{?["`](\/[^"`?#$]*)/g)].map(([, href]) => href!),
  );
  const own = links.filter((href) => !href.startsWith("/api/") && !href.startsWith("/v1/"));
  expect(own.length).toBeGreaterThan(50);
  expect(own.filter((href) => !pages.test(href.replace(/(.)\/$/, "$1")) && !href.endsWith("/"))).toEqual([]);
});

describe("decision records", () => {
  test.each(records)("%s has a status, a date and the three sections", (record) => {
    const text = readFileSync(path.join("docs/decisions", record), "utf8");
    expect(text).toMatch(/^# .+\n\nStatus: [^.\n]+(\. |\n\n?)Date: \d{4}-\d{2}-\d{2}\.?\n/);
    expect([...text.matchAll(/^## (.+)$/gm)].map(([, title]) => title)).toEqual([
      "Context",
      "Decision",
      "Consequences",
    ]);
  });

  test("the index lists each once, in order", () => {
    const index = readFileSync("docs/decisions/README.md", "utf8");
    expect([...index.matchAll(/\]\((\d{4}-[^)]+)\)/g)].map(([, name]) => name)).toEqual([...records].sort());
  });

  test("no two have the same number", () => {
    const numbers = records.map((record) => record.slice(0, 4));
    expect(numbers).toEqual([...new Set(numbers)]);
  });
});

import { readdirSync, readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import path from "node:path";
import { expect, test } from "vitest";

/** The layers of docs/architecture.md, top to bottom; imports run down only, or stay within their layer. */
const layers: string[][] = [
  ["server/main.ts", "server/cli/"],
  ["server/process/"],
  ["app/", "server/api/", "server/trpc/", "inngest/functions/"],
  ["server/hub.ts", "server/compose-hub.ts"],
  [
    "inngest/client.ts",
    "inngest/event-queue.ts",
    "inngest/merge-deliveries.ts",
    "inngest/publisher.ts",
    "inngest/embedded/",
    "inngest/server/",
  ],
  ["server/domain/"],
  ["server/context.ts"],
  ["server/catalogue/", "server/db/", "server/payments/", "server/providers/", "server/storage/", "prisma/client/"],
  [
    "server/env.ts",
    "server/inngest-settings.ts",
    "server/catalogue-variables.ts",
    "server/errors.ts",
    "server/root.ts",
    "server/lib/",
    "inngest/events.ts",
    "inngest/generation-failed.ts",
  ],
];
const layerOf = (file: string) => layers.findIndex((prefixes) => prefixes.some((prefix) => file.startsWith(prefix)));

/**
 * The folders of the domain in the order of docs/architecture.md, top to bottom. A folder imports only from folders below
 * it, types included.
 */
const domainFolders = [
  "services",
  "operations",
  "announcements",
  "views",
  "members",
  "recovery",
  "signup",
  "overview",
  "audit",
  "openai",
  "characters",
  "runs",
  "chat",
  "workers",
  "inputs",
  "webhooks",
  "payments",
  "generations",
  "references",
  "files",
  "events",
  "ledger",
  "models",
  "pricing",
  "routing",
  "rejections",
  "connections",
  "keys",
  "factors",
  "sessions",
  "people",
  "accounts",
  "rates",
  "operator-actions",
  "health",
  "metrics",
];

/** Transports call the domain, but not the database, a provider or each other. */
const transports = ["app/", "server/api/", "server/trpc/", "server/cli/", "inngest/functions/"];
const belowTransports = ["server/payments/", "server/providers/", "server/storage/"];
const forbiddenInDomain = /^package (next|next-auth|hono|@hono|@trpc|inngest|react)(\/|$)/;

const listFiles = (folder: string, pattern: RegExp): string[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => path.posix.join(folder, name.replaceAll(path.sep, "/")))
    .filter((name) => pattern.test(name));

const files = ["app", "server", "inngest"]
  .flatMap((folder) => listFiles(folder, /\.tsx?$/))
  .filter((name) => !/\.test\.tsx?$|^inngest\/contract\//.test(name));

/** Returns what a file imports: paths from the root of the repository, or names of packages. */
function importsOf(file: string): string[] {
  const text = readFileSync(file, "utf8");
  const found = [...text.matchAll(/(?:from|import\()\s*"([^"]+)"|^import "([^"]+)"/gm)].map(
    (match) => (match[1] ?? match[2])!,
  );
  return found.map((name) => {
    if (name.startsWith("@/")) return name.slice(2);
    return name.startsWith(".") ? path.posix.join(path.posix.dirname(file), name) : `${PACKAGE}${name}`;
  });
}
const PACKAGE = "package ";
const isOurs = (name: string) => !name.startsWith(PACKAGE);
const edges = files.flatMap((file) => importsOf(file).map((target) => ({ file, target })));
// "server/db" and "server/db.ts" are the same import.
const asFile = (name: string) => (layerOf(name) >= 0 ? name : layerOf(`${name}.ts`) >= 0 ? `${name}.ts` : `${name}/`);

test("every file is in a layer", () => {
  expect(files.length).toBeGreaterThan(50);
  expect(files.filter((file) => layerOf(file) < 0)).toEqual([]);
});

test("imports run down only", () => {
  const up = edges.filter(({ file, target }) => isOurs(target) && layerOf(asFile(target)) < layerOf(file));
  expect(up).toEqual([]);
});

test("app/ has no import circles, type imports included", () => {
  const modules = new Set(files.filter((file) => file.startsWith("app/")));
  let circles = edges.flatMap(({ file, target }) => {
    const imported = [".ts", ".tsx"].map((extension) => target + extension).find((name) => modules.has(name));
    return modules.has(file) && imported ? [{ file, target: imported }] : [];
  });
  expect(circles.length).toBeGreaterThan(100);
  // An import is part of a circle only if its file is imported and its target imports something in turn.
  for (let count = -1; count !== circles.length;) {
    count = circles.length;
    const [importers, imported] = [new Set(circles.map(({ file }) => file)), new Set(circles.map((one) => one.target))];
    circles = circles.filter(({ file, target }) => imported.has(file) && importers.has(target));
  }
  expect(circles).toEqual([]);
});

test("a folder of the domain imports only from folders below it", () => {
  const folderOf = (name: string) => /^server\/domain\/([\w-]+)/.exec(name)?.[1];
  expect([...domainFolders].sort()).toEqual([...new Set(files.flatMap((file) => folderOf(file) ?? []))].sort());
  const up = edges.filter(({ file, target }) => {
    const [from, to] = [folderOf(file), folderOf(target)];
    return from && to && domainFolders.indexOf(to) < domainFolders.indexOf(from);
  });
  expect(up).toEqual([]);
});

test("docs/architecture.md lists the folders of the domain in their order", () => {
  const page = readFileSync("docs/architecture.md", "utf8");
  const listed = [...page.matchAll(/^\| `([\w-]+)(?:\/|\.ts)` \|/gm)].map(([, name]) => name!);
  expect(listed.filter((name) => domainFolders.includes(name))).toEqual(domainFolders);
});

test("transports do not import the database, the providers or each other", () => {
  const owner = (name: string) => transports.find((prefix) => name.startsWith(prefix));
  const crossings = edges.filter(({ file, target }) => {
    const from = owner(file);
    if (!from || !isOurs(target)) return false;
    const to = owner(target);
    // Next's routes host the other transports.
    if (to && to !== from) return from !== "app/";
    return belowTransports.some((prefix) => target.startsWith(prefix));
  });
  expect(crossings).toEqual([]);
});

test("the domain imports no framework", () => {
  const forbidden = edges.filter(
    ({ file, target }) => file.startsWith("server/domain/") && forbiddenInDomain.test(target),
  );
  expect(forbidden).toEqual([]);
});

test("every imported package is a direct dependency, and every dependency is imported", () => {
  const { dependencies, devDependencies } = JSON.parse(readFileSync("package.json", "utf8")) as Record<string, object>;
  const own = new Set(Object.keys({ ...dependencies, ...devDependencies }));
  const tools = ["bench", "e2e", "scripts", "test"].flatMap((folder) => listFiles(folder, /\.(ts|mjs)$/));
  const violations = [...files, ...tools].flatMap((file) =>
    importsOf(file).flatMap((name) => {
      const [, found] = /^package ((?:@[a-z][\w.-]*\/)?[a-z][\w.-]*)(?:\/|$)/.exec(name) ?? [];
      return found === undefined || own.has(found) || isBuiltin(found) ? [] : [`${file}: ${found}`];
    }),
  );
  expect(violations).toEqual([]);
});

test("a hub is derived, never spread, so that its services use its own parts", () => {
  const tools = ["bench", "test"].flatMap((folder) => listFiles(folder, /\.ts$/));
  const tested = listFiles("server", /\.test\.ts$/);
  const spreads = [...files, ...tested, ...tools].filter((file) =>
    /\.\.\.hub\b(?!\.)/.test(readFileSync(file, "utf8")),
  );
  expect(spreads).toEqual(["test/derive-hub.ts"]);
});

test("only one file reads the environment", () => {
  const readers = files.filter(
    (file) => file !== "server/env.ts" && /process\.env\.(?!NODE_ENV|NEXT_RUNTIME)/.test(readFileSync(file, "utf8")),
  );
  expect(readers).toEqual([]);
});

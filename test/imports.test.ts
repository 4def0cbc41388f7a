import { readdirSync, readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import path from "node:path";
import { expect, test } from "vitest";
import { domainFolders, layers, pureModules } from "./architecture";

/**
 * Returns the layer of a file, or of an import without its extension: that of the longest matching path of
 * docs/architecture.md, -1 if none matches.
 */
function layerOf(name: string): number {
  const spellings = [name, `${name}.ts`, `${name}/`];
  const found = layers
    .flatMap((paths, layer) => paths.map((prefix) => ({ prefix, layer })))
    .filter(({ prefix }) => spellings.some((spelling) => spelling.startsWith(prefix)))
    .sort((one, other) => other.prefix.length - one.prefix.length);
  return found[0]?.layer ?? -1;
}

const purePackages = /^package (node:path|node:url|uuid)$/;

/** Transports call the domain, but not the database, a provider or each other. */
const transports = ["app/", "server/api/", "server/trpc/", "server/cli/", "inngest/functions/"];
/** Actions, which REST and the console both import. */
const ACTIONS = "server/actions/";
const belowTransports = ["server/payments/", "server/providers/", "server/storage/"];
const forbiddenInDomain = /^package (next|next-auth|hono|@hono|@trpc|inngest|react)(\/|$)/;

const listFiles = (folder: string, pattern: RegExp): string[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => path.posix.join(folder, name.replaceAll(path.sep, "/")))
    .filter((name) => pattern.test(name));

const files = ["app", "server", "inngest"]
  .flatMap((folder) => listFiles(folder, /\.tsx?$/))
  .filter((name) => !/\.test\.tsx?$|^inngest\/contract\//.test(name));

const IMPORT = /(?:from|import\()\s*"([^"]+)"|^import "([^"]+)"/gm;
const VALUE_IMPORT =
  /^(?:import|export) (?!type )[^;"]*from "([^"]+)"|^import "([^"]+)"|(?<!typeof )import\(\s*"([^"]+)"/gm;

/** Returns what a file imports: paths from the root of the repository, or names of packages. */
function importsOf(file: string, pattern = IMPORT): string[] {
  const found = [...readFileSync(file, "utf8").matchAll(pattern)].map((match) => match.slice(1).find(Boolean)!);
  return found.map((name) => {
    if (name.startsWith("@/")) return name.slice(2);
    return name.startsWith(".") ? path.posix.join(path.posix.dirname(file), name) : `${PACKAGE}${name}`;
  });
}
const PACKAGE = "package ";
const isOurs = (name: string) => !name.startsWith(PACKAGE);
const edges = files.flatMap((file) => importsOf(file).map((target) => ({ file, target })));

test("every file is in a layer", () => {
  expect(files.length).toBeGreaterThan(50);
  expect(files.filter((file) => layerOf(file) < 0)).toEqual([]);
});

test("imports run down only", () => {
  const up = edges.filter(({ file, target }) => isOurs(target) && layerOf(target) < layerOf(file));
  expect(up).toEqual([]);
});

test("there are no import circles, type imports included", () => {
  const modules = new Set(files);
  let circles = edges.flatMap(({ file, target }) => {
    const imported = [".ts", ".tsx", "/index.ts"]
      .map((extension) => target + extension)
      .find((name) => modules.has(name));
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
  const folderOf = (name: string) => /^server\/domain\/((?:generations\/)?[\w-]+)/.exec(name)?.[1];
  const order = domainFolders.map(({ name }) => name);
  expect([...order].sort()).toEqual([...new Set(files.flatMap((file) => folderOf(file) ?? []))].sort());
  const up = edges.filter(({ file, target }) => {
    const [from, to] = [folderOf(file), folderOf(target)];
    return from && to && order.indexOf(to) < order.indexOf(from);
  });
  expect(up).toEqual([]);
});

test("a provider kind imports nothing from another one", () => {
  const kindOf = (name: string) => /^server\/providers\/(?!http\/)([\w-]+)\//.exec(name)?.[1];
  const crossings = edges.filter(({ file, target }) => {
    const [from, to] = [kindOf(file), kindOf(target)];
    return from && to && from !== to;
  });
  expect(crossings).toEqual([]);
});

test("transports do not import the database, the providers or each other", () => {
  const owner = (name: string) => [...transports, ACTIONS].find((prefix) => name.startsWith(prefix));
  const crossings = edges.filter(({ file, target }) => {
    const from = owner(file);
    if (!from || !isOurs(target)) return false;
    const to = owner(target);
    // Pages import types of the console's procedures; all else comes from the page API.
    if (to && to !== from && to !== ACTIONS) return from !== "app/";
    return belowTransports.some((prefix) => target.startsWith(prefix));
  });
  expect(crossings).toEqual([]);
});

test("Next bundles only pure modules of the server", () => {
  const isPure = (name: string) => pureModules.has(`${name}.ts`);
  const nextFiles = ["proxy.ts", "instrumentation-client.ts", ...files.filter((file) => file.startsWith("app/"))];
  const bundled = nextFiles.flatMap((file) =>
    importsOf(file, VALUE_IMPORT)
      .filter((target) => /^(server|inngest|prisma)\//.test(target))
      .map((target) => ({ file, target })),
  );
  expect(bundled.filter(({ target }) => !isPure(target))).toEqual([]);
  const behind = [...pureModules].flatMap((file) => importsOf(file, VALUE_IMPORT).map((target) => ({ file, target })));
  expect(behind.filter(({ target }) => !isPure(target) && !purePackages.test(target))).toEqual([]);
  const imported = new Set([...bundled, ...behind].map(({ target }) => `${target}.ts`));
  expect([...pureModules].filter((file) => !imported.has(file))).toEqual([]);
});

test("the domain and the actions import no framework", () => {
  const forbidden = edges.filter(
    ({ file, target }) => /^server\/(actions|domain)\//.test(file) && forbiddenInDomain.test(target),
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

test("only one file reads the environment, beside the policy of pages", () => {
  const readers = [...files, "proxy.ts", "instrumentation-client.ts"].filter(
    (file) => file !== "server/env.ts" && /process\.env\.(?!NODE_ENV|NEXT_RUNTIME)/.test(readFileSync(file, "utf8")),
  );
  expect(readers).toEqual(["proxy.ts"]);
});

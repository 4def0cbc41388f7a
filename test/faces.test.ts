import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { pureModules } from "./architecture";

/** The most names that a face may offer: `index.ts` the verbs and types of a domain folder, `sql.ts` SQL that others compose. */
const MAX_NAMES = 25;
const FACES = ["index.ts", "sql.ts"];

const folderOf = (file: string) => /^server\/domain\/((?:generations\/)?[\w-]+)\//.exec(file)?.[1];
const isTest = (file: string) => /\.test\.tsx?$/.test(file);
const files = ["app", "server", "inngest"].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => path.posix.join(folder, name.replaceAll(path.sep, "/")))
    .filter((name) => /\.tsx?$/.test(name) && !isTest(name)),
);
const faces = files.filter((file) => folderOf(file) && FACES.includes(path.posix.basename(file)));

const importPattern = /(?:import|export) (?:type )?\{([^}]*)\} from "([^"]+)"/g;

/** Returns the imports and re-exports of a file: the names, and the file that has them. */
function importsOf(file: string) {
  return [...readFileSync(file, "utf8").matchAll(importPattern)].map(([, list, name]) => {
    const target = name!.startsWith("@/") ? name!.slice(2) : path.posix.join(path.posix.dirname(file), name!);
    return {
      names: list!
        .split(",")
        .map((one) => one.trim().replace(/^type | as .*$/g, ""))
        .filter(Boolean),
      target: existsSync(`${target}.ts`) ? `${target}.ts` : `${target}/index.ts`,
    };
  });
}
const crossings = files.flatMap((file) =>
  importsOf(file)
    .filter(({ target }) => folderOf(target) && folderOf(target) !== folderOf(file))
    .map((one) => ({ file, ...one })),
);

test("others import a folder of the domain by its face", () => {
  expect(crossings.length).toBeGreaterThan(500);
  // A face leads to the database, which browsers cannot load.
  const isPure = ({ file, target }: { file: string; target: string }) =>
    pureModules.has(target) && (file.startsWith("app/") || pureModules.has(file));
  expect(crossings.filter((one) => !faces.includes(one.target) && !isPure(one))).toEqual([]);
});

test.each(faces)("%s offers few names, each of which is used", (face) => {
  const text = readFileSync(face, "utf8");
  expect(text).toMatch(/^\/\*\*(\n \*)? \S/);
  expect(text).not.toContain("export *");
  const offered = importsOf(face).flatMap(({ names }) => names);
  const used = new Set(crossings.filter(({ target }) => target === face).flatMap(({ names }) => names));
  expect(offered.length).toBeLessThanOrEqual(MAX_NAMES);
  expect(offered.filter((name) => !used.has(name))).toEqual([]);
});

const partsPattern = /export type \w+Hub =[^;]*?Pick<\s*HubParts,([^>]*)>/;

test.each(files.filter((file) => folderOf(file) && partsPattern.test(readFileSync(file, "utf8"))))(
  "%s asks for parts of the hub that the files of its folder use",
  (file) => {
    const folder = path.posix.dirname(file);
    const text = files
      .filter((one) => path.posix.dirname(one) === folder)
      .map((one) => readFileSync(one, "utf8").replace(/Pick<\s*HubParts,[^>]*>/g, ""))
      .join("\n");
    const [, list] = partsPattern.exec(readFileSync(file, "utf8"))!;
    const parts = [...list!.matchAll(/"(\w+)"/g)].map(([, part]) => part!);
    expect(parts.filter((part) => !new RegExp(`\\bhub\\.${part}\\b|[{,]\\s*${part}\\b`).test(text))).toEqual([]);
  },
);

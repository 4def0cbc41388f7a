import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { publicOperations } from "../server/api/operations";

/** Returns the texts of the modules directly in a folder, or anywhere below it. */
const readModules = (folder: string, recursive = false): string[] =>
  readdirSync(folder, { recursive, encoding: "utf8" })
    .filter((name) => /(?<!\.test)\.ts$/.test(name))
    .map((name) => readFileSync(`${folder}/${name}`, "utf8"));

/** Functions that prepare the input or the result of a verb. */
const AROUND_A_VERB = /^(serialize|check|with)[A-Z]/;

/** Returns the functions of the domain that a module imports, without types and schemas. */
const verbsOf = (text: string): string[] =>
  [...text.matchAll(/import \{([^}]*)\} from "[./]*\/domain\/[^"]*"/g)]
    .flatMap(([, names]) => names!.split(",").map((name) => name.trim()))
    .filter((name) => /^[a-z]\w*$/.test(name) && !AROUND_A_VERB.test(name));

const procedures = readModules("server/trpc", true);
// The folders below have no permissions, because their callers are API keys.
const operations = readModules("server/api");

test("REST and the console call an action's verb only through the action, which alone declares the permission", () => {
  const verbs = readModules("server/actions").flatMap(verbsOf);
  expect(verbs.length).toBeGreaterThan(15);
  const calledBesides = [...operations, ...procedures].flatMap(verbsOf).filter((name) => verbs.includes(name));
  expect(calledBesides).toEqual([]);
});

test("no verb has one permission in an operation and another in a procedure", () => {
  const consoleVerbs = procedures.flatMap(verbsOf);
  const named = publicOperations.filter(({ access, auth }) => access && auth !== "key").map(({ name }) => name);
  const found = operations.flatMap((text) =>
    text.split(/^export const /m).flatMap((declaration) => {
      const name = /^ {2}name: "(\w+)"/m.exec(declaration)?.[1];
      if (!name || !named.includes(name)) return [];
      const calls = verbsOf(text).filter((verb) => new RegExp(`\\b${verb}\\(`).test(declaration));
      return [{ name, shared: calls.filter((verb) => consoleVerbs.includes(verb)) }];
    }),
  );
  expect(found.map(({ name }) => name).sort()).toEqual(named.toSorted());
  expect(found.filter(({ shared }) => shared.length > 0)).toEqual([]);
});

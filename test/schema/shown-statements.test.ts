import path from "node:path";
import { expect, test } from "vitest";
import { declarations } from "../../server/db/statement";
import { importDeclarations } from "./declaring-modules";
import { showStatement } from "./show-statement";

const MAX_LINES = 60;

await importDeclarations();

const shown = declarations.flatMap(({ shownIn, namedText }) => (shownIn && namedText ? { shownIn, namedText } : []));

// `npx vitest run test/schema/shown-statements.test.ts -u` writes the files anew.
test.each(shown)("$shownIn shows its statement", async ({ shownIn, namedText }) => {
  await expect(showStatement(namedText)).toMatchFileSnapshot(path.resolve(shownIn));
});

test("every long statement names its parameters and is shown in a file", () => {
  const long = declarations.filter(({ text }) => showStatement(text).trim().split("\n").length > MAX_LINES);
  expect(long.filter(({ shownIn, namedText }) => !shownIn || !namedText).map(({ text }) => text)).toEqual([]);
});

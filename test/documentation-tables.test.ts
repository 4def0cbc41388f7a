import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { replaceTable, tables } from "../scripts/docs/tables";

test.each(tables)("$page has the table of $name as the code has it: npm run docs writes it", async (table) => {
  const page = await readFile(table.page, "utf8");
  expect(page).toBe(replaceTable(page, table));
});

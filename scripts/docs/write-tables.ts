import { readFile, writeFile } from "node:fs/promises";
import { replaceTable, tables } from "./tables";

for (const table of tables) await writeFile(table.page, replaceTable(await readFile(table.page, "utf8"), table));

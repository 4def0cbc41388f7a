import { readFileSync } from "node:fs";

const page = readFileSync("docs/architecture.md", "utf8");

/** Returns the cells of each row of the first table below a heading of docs/architecture.md. */
function readTable(heading: string): string[][] {
  const [, section] = page.split(`## ${heading}\n`);
  const [table] = /^\|[^]*?\n(?!\|)/m.exec(section!)!;
  const [, , ...rows] = table.trim().split("\n");
  return rows.map((row) => row.split("|").slice(1, -1));
}

const namesIn = (cell: string) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name!);

/** The paths of each layer, top to bottom. A file belongs to the layer of its longest matching path. */
export const layers = readTable("Imports run down").map(([, paths]) => namesIn(paths!));

/** The folders of the domain, top to bottom, with the tables that each writes. */
export const domainFolders = readTable("Folders of the domain").map(([folder, , tables]) => {
  const [name] = namesIn(folder!);
  return { name: name!.replace(/\/$|\.ts$/, ""), tables: namesIn(tables!) };
});

/**
 * The server's modules whose values Next may bundle: small ones without state and without classes, which browsers load as
 * well. `server/hub.ts` leads to all others.
 */
export const pureModules = new Set([
  "server/hub.ts",
  "server/catalogue/measure-value.ts",
  "server/catalogue/price-units.ts",
  "server/catalogue/token-classes.ts",
  "server/domain/events/event-names.ts",
  "server/domain/files/never-expires.ts",
  "server/domain/generations/row/failures.ts",
  "server/domain/labels/pairs.ts",
  "server/domain/models/model-kind.ts",
  "server/catalogue/frozen-book.ts",
  "server/domain/tokens/token-cost.ts",
  "server/domain/workers/max-waiting.ts",
  "server/error-table.ts",
  "server/lib/bucket-origin.ts",
  "server/lib/id.ts",
  "server/lib/is-object.ts",
  "server/lib/json/storable.ts",
  "server/lib/money.ts",
  "server/trpc/transformer.ts",
]);

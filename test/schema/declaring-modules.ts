import { readdirSync } from "node:fs";
import path from "node:path";

/** Folders in which every statement is declared. */
const FOLDERS = ["inngest/embedded", "server/catalogue", "server/db", "server/domain"];

/** The modules that may declare statements. */
export const declaringModules = FOLDERS.flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
    .map((name) => path.join(folder, name)),
);

/** Imports these modules, so that `declarations` has every statement. */
export async function importDeclarations(): Promise<void> {
  await Promise.all(declaringModules.map((file) => import(path.resolve(file))));
}

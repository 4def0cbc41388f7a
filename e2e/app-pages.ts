import { readdirSync } from "node:fs";
import path from "node:path";

export interface AppPage {
  /** The route as Next names it: `/generations/[id]`. */
  route: string;
  /** Its route group; only `console` requires a session. */
  group: string;
}

const app = path.resolve(import.meta.dirname, "..", "app");

/** Every page of the product, read from the file system so that tests cover new pages automatically. */
export const appPages: AppPage[] = readdirSync(app, { recursive: true, encoding: "utf8" })
  .filter((file) => path.basename(file) === "page.tsx")
  .map((file) => {
    const folders = path.dirname(file).split(path.sep);
    const [group] = folders.flatMap((folder) => /^\((\w+)\)$/.exec(folder)?.[1] ?? []);
    const route = `/${folders.filter((folder) => !folder.startsWith("(")).join("/")}`;
    return { route, group: group ?? "none" };
  })
  .sort((one, other) => one.route.localeCompare(other.route));

export const consolePages = appPages.filter(({ group }) => group === "console");

/** The pages of the operator's console, which need a role of the hub. */
export const adminPages = appPages.filter(({ group }) => group === "admin");

/** The paths of the pages that need no session. */
export const openPaths = appPages
  .filter(({ group }) => !["console", "admin"].includes(group))
  .flatMap((page) => pathsOf(page, { "/docs/api/[tag]": ["generations"] }));

/** Returns the paths to test for a page: one for each seeded id of a page with an id. */
export function pathsOf({ route }: AppPage, seedData: Record<string, string[]>): string[] {
  if (!route.includes("[")) return [route];
  const ids = seedData[route];
  if (!ids?.length) throw new Error(`${route}: no seeded resource; add one to e2e/seed-account.ts`);
  return ids.map((id) => route.replace(/\[\w+\]/, id));
}

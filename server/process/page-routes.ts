import { readFile } from "node:fs/promises";
import path from "node:path";
import { root } from "../root";

/** The routes of the build, matched as Next matches them. */
export interface PageRoutes {
  /** Returns whether Next has a page, a route or a redirect for a path. */
  has(path: string): boolean;
}

/** Reads the routes of the build. */
export async function readPageRoutes(): Promise<PageRoutes> {
  const text = await readFile(path.join(root, ".next", "routes-manifest.json"), "utf8");
  const manifest = JSON.parse(text) as Record<"redirects" | "staticRoutes" | "dynamicRoutes", { regex: string }[]>;
  const routes = [...manifest.redirects, ...manifest.staticRoutes, ...manifest.dynamicRoutes];
  // Next also redirects from repeated slashes, which the build does not list.
  const patterns = [/\/\/|\\/, ...routes.map(({ regex }) => new RegExp(regex))];
  return {
    has: (path) => patterns.some((pattern) => pattern.test(path)),
  };
}

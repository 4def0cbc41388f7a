import { readFile } from "node:fs/promises";
import path from "node:path";
import { root } from "../root";

interface Route {
  page: string;
  regex: string;
}

/** The routes of the build, matched as Next does. */
export interface PageRoutes {
  /** Returns whether Next has a page, a route or a redirect for a path. */
  has(path: string): boolean;
}

/** Reads the routes of the build. */
export async function readPageRoutes(): Promise<PageRoutes> {
  const text = await readFile(path.join(root, ".next", "routes-manifest.json"), "utf8");
  const { staticRoutes, dynamicRoutes } = JSON.parse(text) as Record<"staticRoutes" | "dynamicRoutes", Route[]>;
  const patterns = [...staticRoutes, ...dynamicRoutes].map(({ regex }) => new RegExp(regex));
  // Next redirects from repeated slashes, and from one at the end.
  const redirects = /\/\/|\\|.\/$/;
  return {
    has: (path) => redirects.test(path) || patterns.some((pattern) => pattern.test(path)),
  };
}

import { randomUUID } from "node:crypto";
import { mkdir, rename } from "node:fs/promises";
import path from "node:path";
import { build } from "esbuild";

const FOLDER = path.resolve("node_modules/.cache/test-programs");
const bundles = new Map<string, Promise<string>>();

/**
 * Bundles a TypeScript program that a test runs as a process of its own, and returns the path of the bundle. One with
 * the whole hub starts in 0.9 seconds of CPU time instead of 2.2 under tsx.
 */
export function bundleProgram(file: string): Promise<string> {
  let bundle = bundles.get(file);
  if (!bundle) bundles.set(file, (bundle = buildProgram(path.resolve(file))));
  return bundle;
}

async function buildProgram(entry: string): Promise<string> {
  const name = path.relative("", entry).replace(/\W+/g, "-");
  const draft = path.join(FOLDER, `${randomUUID()}.mjs`);
  await mkdir(FOLDER, { recursive: true });
  await build({
    entryPoints: [entry],
    outfile: draft,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    packages: "external",
    // As in `npm run build`: CommonJS packages require modules of Node.
    banner: {
      js: 'import { createRequire as nodeRequire } from "node:module"; const require = nodeRequire(import.meta.url);',
    },
    // Where `server/root.ts` looks for the project.
    define: { "import.meta.dirname": JSON.stringify(path.resolve("server")) },
    logLevel: "error",
  });
  // Another test worker may build the same program at the same time.
  const bundle = path.join(FOLDER, `${name}.mjs`);
  await rename(draft, bundle);
  return bundle;
}

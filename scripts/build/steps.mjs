import { existsSync } from "node:fs";
import { readdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { compressBelow } from "./compress.mjs";
import { shareStyles } from "./share-styles.mjs";
import { runProgram } from "./run.mjs";
import { createStamp, isFresh } from "./stamp.mjs";

const binary = (name) => path.resolve("node_modules", ".bin", name);
const commonSources = ["package.json", "package-lock.json", "tsconfig.json", "scripts/build"];
const serverSources = [
  ...commonSources,
  "next.config.js",
  "server",
  "inngest",
  "prisma.config.ts",
  "prisma/schema.prisma",
];

/**
 * The packages that the server loads from node_modules: those with parts that are not scripts, or that find their parts
 * by name, and those that are rarely used. Any other loads faster as a part of the bundle.
 */
export const unbundledPackages = [
  "next",
  "next-auth",
  "sharp",
  "@node-rs/argon2",
  "stripe",
  "@aws-sdk/client-s3",
  "@aws-sdk/lib-storage",
  "@opentelemetry/sdk-node",
  "@modelcontextprotocol/server",
];

/** The three build steps, in order, with their sources, their tool, and the file that has the hash of the sources last built. */
export const steps = {
  client: {
    title: "database client",
    sources: ["package-lock.json", "prisma.config.ts", "prisma/schema.prisma"],
    tool: "prisma",
    stamp: "prisma/client/.stamp",
    build: () =>
      runProgram(binary("prisma"), ["generate"], {
        quiet: true,
        // Keeps the CLI from downloading an engine that generating does not need.
        env: { PRISMA_SCHEMA_ENGINE_BINARY: "/bin/false", CHECKPOINT_DISABLE: "1" },
      }),
  },
  server: {
    title: "server",
    sources: serverSources,
    tool: "esbuild",
    stamp: "dist/.stamp",
    build: async () => {
      await removeFiles("dist", /\.js(\.map)?$/);
      const { build: bundle } = await import("esbuild");
      await bundle({
        // A plain `next start` loads the third.
        entryPoints: {
          main: "server/main.ts",
          hub: "server/cli/hub.ts",
          "standalone-server": "server/standalone-server.ts",
        },
        outdir: "dist",
        bundle: true,
        splitting: true,
        format: "esm",
        platform: "node",
        target: "node20",
        external: unbundledPackages,
        // The Prisma client is CommonJS and calls `require` for Node's modules, which an ES module lacks.
        banner: {
          js: 'import { createRequire as nodeRequire } from "node:module"; const require = nodeRequire(import.meta.url);',
        },
        sourcemap: true,
        logLevel: "error",
      });
    },
  },
  pages: {
    title: "pages",
    sources: [...serverSources, "app", "proxy.ts", "instrumentation-client.ts", "next.config.js", "postcss.config.mjs"],
    tool: "@tailwindcss/postcss",
    stamp: ".next/.stamp",
    build: async () => {
      await runProgram(binary("next"), ["build"], { quiet: true, env: { NEXT_TELEMETRY_DISABLED: "1" } });
      await shareStyles(".next/server/app");
      await compressBelow(".next/static");
    },
  },
};

/** A build that is not possible here; the message is written for the operator. */
export class CannotBuild extends Error {}

// Chunks are named by their content, so those of older builds would accumulate.
async function removeFiles(folder, pattern) {
  const names = await readdir(folder);
  await Promise.all(names.filter((name) => pattern.test(name)).map((name) => rm(path.join(folder, name))));
}

/** Returns the steps whose sources have changed. Throws CannotBuild if a tool of one is not installed, as in production. */
export async function findStale(names) {
  const chosen = names.map((name) => steps[name]);
  const isStale = await Promise.all(chosen.map(async ({ stamp, sources }) => !(await isFresh(stamp, sources))));
  const stale = chosen.filter((_, index) => isStale[index]);
  for (const { title, tool } of stale) {
    if (!existsSync(path.resolve("node_modules", tool)))
      throw new CannotBuild(
        `The ${title} must be built, but ${tool} is not installed: run \`npm ci --include=dev\` and \`npm run build\`.`,
      );
  }
  return stale;
}

/** Builds the steps whose sources have changed, and reports each on stderr unless `quiet`. */
export async function rebuildStale(names, { quiet = false } = {}) {
  for (const name of names) {
    // Checked one after another: a step's output may be a source of the next one.
    for (const { title, sources, stamp, build } of await findStale([name])) {
      const began = Date.now();
      const newStamp = await createStamp(sources);
      await build();
      await writeFile(stamp, newStamp);
      if (!quiet) process.stderr.write(`built the ${title} (${((Date.now() - began) / 1000).toFixed(1)} s)\n`);
    }
  }
}

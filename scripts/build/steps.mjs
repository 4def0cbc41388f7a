import { readdir, rm } from "node:fs/promises";
import path from "node:path";
import { build as bundle } from "esbuild";
import { compressBelow } from "./compress.mjs";
import { runProgram } from "./run.mjs";
import { hashSources, isFresh, writeStamp } from "./stamp.mjs";

const binary = (name) => path.resolve("node_modules", ".bin", name);
const commonSources = ["package.json", "package-lock.json", "tsconfig.json", "scripts/build"];
const serverSources = [...commonSources, "server", "inngest", "prisma/schema.prisma"];

/** The three build steps, in order, with their sources and the file that has the hash of the sources last built. */
export const steps = {
  client: {
    title: "database client",
    sources: ["package-lock.json", "prisma/schema.prisma"],
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
    stamp: "dist/.stamp",
    build: async () => {
      await removeFiles("dist", /\.js(\.map)?$/);
      await bundle({
        entryPoints: { main: "server/main.ts", hub: "server/cli/hub.ts" },
        outdir: "dist",
        bundle: true,
        splitting: true,
        format: "esm",
        platform: "node",
        target: "node20",
        packages: "external",
        sourcemap: true,
        logLevel: "error",
      });
    },
  },
  pages: {
    title: "pages",
    sources: [...serverSources, "app", "proxy.ts", "instrumentation-client.ts", "next.config.js", "postcss.config.mjs"],
    stamp: ".next/.stamp",
    build: async () => {
      await runProgram(binary("next"), ["build"], { quiet: true, env: { NEXT_TELEMETRY_DISABLED: "1" } });
      await compressBelow(".next/static");
    },
  },
};

// Chunks are named by their content, so that those of older builds would pile up.
async function removeFiles(folder, pattern) {
  const names = await readdir(folder);
  await Promise.all(names.filter((name) => pattern.test(name)).map((name) => rm(path.join(folder, name))));
}

/** Runs the steps whose sources have changed. Prints each on stderr, unless quiet. */
export async function rebuildStale(names, { quiet = false } = {}) {
  for (const name of names) {
    const { title, sources, stamp, build } = steps[name];
    const hash = await hashSources(sources);
    if (await isFresh(stamp, hash)) continue;
    const startedAt = Date.now();
    await build();
    await writeStamp(stamp, hash);
    if (!quiet) process.stderr.write(`Built the ${title} (${((Date.now() - startedAt) / 1000).toFixed(1)} s)\n`);
  }
}

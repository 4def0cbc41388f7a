import { readdir, rm } from "node:fs/promises";
import path from "node:path";
import { build } from "esbuild";
import { compressBelow } from "./compress.mjs";
import { run } from "./run.mjs";
import { hashOf, isFresh, leaveStamp } from "./stamp.mjs";

const binary = (name) => path.resolve("node_modules", ".bin", name);
const shared = ["package.json", "package-lock.json", "tsconfig.json", "scripts/build"];
const server = [...shared, "server", "inngest", "prisma.config.ts", "prisma/schema.prisma"];

/** The three things that are built, in order: what each is made from, and where its stamp lies. */
export const steps = {
  client: {
    title: "database client",
    sources: ["package-lock.json", "prisma.config.ts", "prisma/schema.prisma"],
    stamp: "prisma/client/.stamp",
    make: () =>
      run(binary("prisma"), ["generate"], {
        quiet: true,
        // Its CLI would download an engine that generation does not need.
        env: { PRISMA_SCHEMA_ENGINE_BINARY: "/bin/false", CHECKPOINT_DISABLE: "1" },
      }),
  },
  server: {
    title: "server",
    sources: server,
    stamp: "dist/.stamp",
    make: async () => {
      await clear("dist", /\.js(\.map)?$/);
      await build({
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
    sources: [...server, "app", "proxy.ts", "instrumentation-client.ts", "next.config.js", "postcss.config.mjs"],
    stamp: ".next/.stamp",
    make: async () => {
      await run(binary("next"), ["build"], { quiet: true, env: { NEXT_TELEMETRY_DISABLED: "1" } });
      await compressBelow(".next/static");
    },
  },
};

// Chunks are named by their content; those of older builds would only gather.
async function clear(folder, pattern) {
  const names = await readdir(folder);
  await Promise.all(names.filter((name) => pattern.test(name)).map((name) => rm(path.join(folder, name))));
}

/** Makes what is not made from the sources of today. Says so on stderr, unless quiet. */
export async function refresh(names, { quiet = false } = {}) {
  for (const name of names) {
    const { title, sources, stamp, make } = steps[name];
    const hash = await hashOf(sources);
    if (await isFresh(stamp, hash)) continue;
    const began = Date.now();
    await make();
    await leaveStamp(stamp, hash);
    if (!quiet) process.stderr.write(`built the ${title} (${((Date.now() - began) / 1000).toFixed(1)} s)\n`);
  }
}

import { existsSync } from "node:fs";
import { readdir, readFile, rm } from "node:fs/promises";
import path from "node:path";
import { compressBelow } from "./compress.mjs";
import { run } from "./run.mjs";
import { hashOf, isFresh, leaveStamp } from "./stamp.mjs";

const binary = (name) => path.resolve("node_modules", ".bin", name);
const shared = ["package.json", "package-lock.json", "tsconfig.json", "scripts/build"];
const server = [...shared, "server", "inngest", "prisma/schema.prisma"];

/** The three things that are built, in order: what each is made from and with, and where its stamp lies. */
export const steps = {
  client: {
    title: "database client",
    sources: ["package-lock.json", "prisma/schema.prisma"],
    tool: "prisma",
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
    tool: "esbuild",
    stamp: "dist/.stamp",
    make: async () => {
      await clear("dist", /\.js(\.map)?$/);
      const { build } = await import("esbuild");
      const { dependencies } = JSON.parse(await readFile("package.json", "utf8"));
      await build({
        entryPoints: { main: "server/main.ts", hub: "server/cli/hub.ts" },
        outdir: "dist",
        bundle: true,
        splitting: true,
        format: "esm",
        platform: "node",
        target: "node20",
        // What is a devDependency, such as the Prisma client, is bundled: it is not there in production.
        external: Object.keys(dependencies),
        // The Prisma client is CommonJS and requires modules of Node, which an ES module has no function for.
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
    sources: [...server, "app", "proxy.ts", "instrumentation-client.ts", "next.config.js", "postcss.config.mjs"],
    tool: "@tailwindcss/postcss",
    stamp: ".next/.stamp",
    make: async () => {
      await run(binary("next"), ["build"], { quiet: true, env: { NEXT_TELEMETRY_DISABLED: "1" } });
      await compressBelow(".next/static");
    },
  },
};

/** Its message is written for the operator. */
export class MissingTool extends Error {}

// Chunks are named by their content; those of older builds would only gather.
async function clear(folder, pattern) {
  const names = await readdir(folder);
  await Promise.all(names.filter((name) => pattern.test(name)).map((name) => rm(path.join(folder, name))));
}

/**
 * Makes what is not made from the sources of today, and says so on stderr, unless quiet. Throws a
 * MissingTool if what builds it is not installed, as in production.
 */
export async function refresh(names, { quiet = false } = {}) {
  for (const name of names) {
    const { title, sources, tool, stamp, make } = steps[name];
    const hash = await hashOf(sources);
    if (await isFresh(stamp, hash)) continue;
    if (!existsSync(path.resolve("node_modules", tool))) {
      throw new MissingTool(
        `The ${title} must be built, but ${tool} is not installed: run \`npm ci --include=dev\` and \`npm run build\`.`,
      );
    }
    const began = Date.now();
    await make();
    await leaveStamp(stamp, hash);
    if (!quiet) process.stderr.write(`built the ${title} (${((Date.now() - began) / 1000).toFixed(1)} s)\n`);
  }
}

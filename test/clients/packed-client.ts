import { existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { makeProjectFolder } from "../project-folder";
import { runOrThrow } from "./run-program";

/** Packages that programs install beside the client; taken from our own packages, without a network, where we have them. */
const NEIGHBOURS = [
  "ai",
  "@ai-sdk/anthropic",
  "@ai-sdk/openai",
  "@ai-sdk/openai-compatible",
  "@ai-sdk/provider",
  "@anthropic-ai/sdk",
  "openai",
  "@langchain/openai",
];

export interface Installed {
  folder: string;
  /** The files in the packed client. */
  files: string[];
  /** Other packages that the project has. */
  neighbours: string[];
}

/** Packs the TypeScript client as it would be published, and installs the packed file in an empty project. */
export async function installPackedClient(): Promise<Installed> {
  const folder = await mkdtemp(path.join(os.tmpdir(), "hub-client-"));
  const quiet = ["--offline", "--no-audit", "--no-fund", "--loglevel=error"];
  const packed = await packClient(folder, quiet);
  const [{ filename, files }] = JSON.parse(packed.slice(packed.indexOf("["))) as [
    { filename: string; files: { path: string }[] },
  ];
  await writeFile(path.join(folder, "package.json"), '{ "name": "project", "private": true, "type": "module" }');
  await runOrThrow("npm", ["install", `./${filename}`, ...quiet], { cwd: folder });
  const modules = path.join(folder, "node_modules");
  const installed = await readdir(modules);
  if (installed.some((name) => name !== "@generation-hub" && !name.startsWith(".")))
    throw new Error(`The client installs more than itself: ${installed.join(", ")}`);
  const neighbours = NEIGHBOURS.filter((name) => existsSync(path.resolve("node_modules", name)));
  for (const name of neighbours) {
    await mkdir(path.dirname(path.join(modules, name)), { recursive: true });
    await symlink(path.resolve("node_modules", name), path.join(modules, name));
  }
  return { folder, files: files.map((file) => file.path), neighbours };
}

/** Packs a copy of the client below the project, because the build takes its compiler from there. */
async function packClient(folder: string, options: string[]): Promise<string> {
  const source = await makeProjectFolder();
  try {
    await cp("clients/typescript", source, { recursive: true, filter: (name) => !/\/(dist|node_modules)$/.test(name) });
    const command = ["pack", "--json", "--silent", "--pack-destination", folder, ...options];
    return await runOrThrow("npm", command, { cwd: source });
  } finally {
    await rm(source, { recursive: true, force: true });
  }
}

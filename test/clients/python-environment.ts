import { existsSync } from "node:fs";
import { cp, mkdtemp, readdir } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { runOrThrow, runProgram } from "./run-program";

/** Python of the environment that docs/clients.md describes, with the packages of clients/python/requirements-test.txt. */
const PREPARED = path.resolve(".data/python/bin/python");

export interface PythonEnvironment {
  folder: string;
  /** Runs a program with the client installed, and returns what it printed. */
  run(code: string, env?: Record<string, string>): Promise<string>;
  /** Tells whether a package can be imported in it. */
  has(name: string): Promise<boolean>;
}

/** Returns the Python that can build the client, or why there is none. */
export async function findPython(): Promise<{ python: string; missing: string | null }> {
  const python = existsSync(PREPARED) ? PREPARED : "python3";
  const needed = "import sys, build, hatchling, httpx, venv; sys.exit(sys.version_info < (3, 11))";
  const { code, stderr } = await runProgram(python, ["-c", needed]);
  if (code === 0) return { python, missing: null };
  const reason = stderr.trim().split("\n").at(-1) || "it is older than 3.11";
  return { python, missing: `${python}: ${reason} (docs/clients.md has the packages)` };
}

/** Builds a source archive and a wheel as they would be published, and installs the wheel, without a network. */
export async function installBuiltClient(python: string): Promise<PythonEnvironment> {
  const folder = await mkdtemp(path.join(os.tmpdir(), "hub-python-"));
  const source = path.join(folder, "source");
  await cp("clients/python", source, { recursive: true, filter: (name) => !/__pycache__|\/dist$/.test(name) });
  // The wheel is built from the source archive, which shows that the archive is complete.
  await runOrThrow(python, ["-m", "build", "--no-isolation", "--outdir", path.join(folder, "dist"), source]);
  const wheel = (await readdir(path.join(folder, "dist"))).find((name) => name.endsWith(".whl"))!;
  const site = path.join(folder, "site");
  const options = ["--quiet", "--no-index", "--no-deps", "--disable-pip-version-check", "--target", site];
  await runOrThrow(python, ["-m", "pip", "install", ...options, path.join(folder, "dist", wheel)]);
  const env = { PYTHONPATH: site, PYTHONDONTWRITEBYTECODE: "1" };
  const has = async (name: string) => (await runProgram(python, ["-c", `import ${name}`], { env })).code === 0;
  return {
    folder,
    has,
    run: (code, own = {}) => runOrThrow(python, ["-c", code], { cwd: folder, env: { ...env, ...own } }),
  };
}

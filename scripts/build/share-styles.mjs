import { readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";

const STYLES = /(?<="content":)"(?:[^"\\]|\\.)*"/g;
const OF_GLOBAL_ERROR = /(?<=\/builtin\/global-error":)\[\{"path":[^\]]*\]/;

/**
 * Writes the styles once in the manifest of each page below the folder. Next repeats them for every component, and a hub
 * loads sixty manifests. Removes them from Next's last error page, which has styles of its own: they would be sent with
 * each page once more.
 */
export async function shareStyles(folder) {
  const names = await readdir(folder, { recursive: true });
  const manifests = names.filter((name) => name.endsWith("_client-reference-manifest.js"));
  await Promise.all(manifests.map((name) => shareWithin(path.join(folder, name))));
}

async function shareWithin(file) {
  const text = await readFile(file, "utf8");
  const styles = [...new Set(text.match(STYLES))];
  const shared = text.replace(STYLES, (content) => `style${styles.indexOf(content)}`);
  const named = styles.map((content, index) => `const style${index}=${content};`);
  await writeFile(file, named.join("") + shared.replace(OF_GLOBAL_ERROR, "[]"));
}

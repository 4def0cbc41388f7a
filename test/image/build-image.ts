import { cp, mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { runProgram } from "./tools";

/** The base system and Node, which take minutes to make and do not change between runs. */
const CACHE = path.join(os.tmpdir(), "generation-hub-image");
const AUTHORITIES = "/etc/ssl/certs/ca-certificates.crt";
const NODE_PACKAGE = `node-linux-${process.arch}@24`;

export interface Images {
  /** Returns the folder with the root file system of an image. */
  mount(target: "hub" | "slim"): Promise<string>;
  /** Returns the settings of an image. */
  inspect(target: "hub" | "slim"): Promise<ImageConfig>;
  /** Returns the size of an image as a registry has it, compressed. */
  measure(target: "hub" | "slim"): Promise<number>;
  remove(): Promise<void>;
}

export interface ImageConfig {
  User: string;
  Env: string[];
  Entrypoint: string[];
  WorkingDir: string;
  Healthcheck?: object;
  Volumes: Record<string, object>;
  StopSignal?: string;
}

/** Builds both images of the Dockerfile without a registry of images: on a Debian of debootstrap, with Node from npm. */
export async function buildImages(): Promise<Images> {
  const base = await makeBase();
  const folder = await mkdtemp(path.join(os.tmpdir(), "hub-image-"));
  const storage = path.join(folder, "storage.conf");
  const place = (name: string) => path.join(folder, name);
  await writeFile(storage, `[storage]\ndriver = "vfs"\nrunroot = "${place("run")}"\ngraphroot = "${place("graph")}"\n`);
  const buildah = (...values: string[]) => runProgram("buildah", values, { env: { CONTAINERS_STORAGE_CONF: storage } });
  await importBase(buildah, base);
  await copySources(place("context"));
  const common = ["--isolation", "chroot", "--format", "docker", "--layers", "--build-arg", "NODE=localhost/node:24"];
  // The machine's certificate authorities, for networks whose proxy has a certificate of its own.
  const network = ["--volume", `${AUTHORITIES}:/authorities.crt:ro`, "--env", "NODE_EXTRA_CA_CERTS=/authorities.crt"];
  for (const target of ["slim", "hub"])
    await buildah(
      "bud",
      ...common,
      ...network,
      "--target",
      target,
      "--tag",
      `localhost/hub:${target}`,
      place("context"),
    );

  return {
    async mount(target) {
      return buildah("mount", await buildah("from", "--pull-never", `localhost/hub:${target}`));
    },
    async inspect(target) {
      const found = JSON.parse(await buildah("inspect", "--type", "image", `localhost/hub:${target}`)) as {
        Docker: { config: ImageConfig };
      };
      return found.Docker.config;
    },
    async measure(target) {
      const archive = place(`${target}.tar`);
      await buildah("push", "--quiet", `localhost/hub:${target}`, `oci-archive:${archive}`);
      return (await stat(archive)).size;
    },
    async remove() {
      await buildah("rm", "--all").catch(() => undefined);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function makeBase(): Promise<{ system: string; node: string }> {
  const [system, node] = [path.join(CACHE, "system"), path.join(CACHE, "node")];
  await mkdir(CACHE, { recursive: true });
  await once(system, async (draft) => {
    await runProgram("debootstrap", ["--variant=minbase", "--include=ca-certificates", "bookworm", draft]);
  });
  await once(node, async (draft) => {
    await mkdir(draft, { recursive: true });
    const archive = await runProgram("npm", ["pack", NODE_PACKAGE, "--silent"], { cwd: draft });
    await runProgram("tar", ["xzf", archive.split("\n").at(-1)!], { cwd: draft });
  });
  return { system, node: path.join(node, "package", "bin", "node") };
}

/** Makes a folder under another name first, so that an incomplete one is never used. */
async function once(folder: string, make: (draft: string) => Promise<void>): Promise<void> {
  if (await stat(folder).catch(() => null)) return;
  const draft = `${folder}.draft`;
  await rm(draft, { recursive: true, force: true });
  await make(draft);
  await runProgram("mv", [draft, folder]);
}

async function importBase(
  buildah: (...values: string[]) => Promise<string>,
  { system, node }: { system: string; node: string },
): Promise<void> {
  const npm = path.resolve(
    path.dirname(await runProgram("readlink", ["-f", await runProgram("which", ["npm"])])),
    "..",
  );
  const container = await buildah("from", "scratch");
  await buildah("add", "--quiet", container, system, "/");
  await buildah("add", "--quiet", container, node, "/usr/local/bin/node");
  await buildah("add", "--quiet", container, npm, "/usr/local/lib/node_modules/npm");
  const link = "ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm";
  await buildah("run", "--isolation", "chroot", container, "--", "sh", "-c", link);
  const folders = "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
  await buildah("config", "--cmd", "/bin/bash", "--env", folders, container);
  await buildah("commit", "--quiet", container, "localhost/node:24");
  await buildah("rm", container);
}

/** Copies the files of the working tree that git does not ignore. */
async function copySources(target: string): Promise<void> {
  const listed = await runProgram("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"]);
  for (const file of listed.split("\0").filter(Boolean)) {
    if (!(await stat(file).catch(() => null))) continue;
    await mkdir(path.dirname(path.join(target, file)), { recursive: true });
    await cp(file, path.join(target, file));
  }
  await readFile(path.join(target, "Dockerfile"));
}

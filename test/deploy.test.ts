import { chmod, cp, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { VERSION } from "../server/lib/version";
import { findProgram, runProgram } from "./image/tools";

const CHART = "deploy/helm/generation-hub";
const read = (file: string) => readFile(file, "utf8");
const settings = [...(await read(".env.example")).matchAll(/^# ([A-Z][A-Z0-9_]+)=/gm)].map(([, name]) => name!);
const isSetting = (name: string) => settings.includes(name.replace(/_FILE$/, ""));

interface Service {
  environment?: Record<string, string>;
  secrets?: string[];
  volumes?: string[];
  networks?: string[] | Record<string, object>;
  depends_on?: string[] | Record<string, object>;
}
interface Compose {
  services: Record<string, Service>;
  networks: Record<string, object>;
  volumes: Record<string, object>;
  secrets: Record<string, { file: string }>;
}
const namesOf = (value: string[] | Record<string, object> = []) => (Array.isArray(value) ? value : Object.keys(value));

test("compose.yaml declares what its services use, with settings that exist", async () => {
  const compose = parse(await read("deploy/compose.yaml"), { merge: true }) as Compose;
  const services = Object.values(compose.services);
  expect(Object.keys(compose.services)).toEqual(expect.arrayContaining(["caddy", "hub", "postgres"]));
  expect(Object.keys(compose.services.hub!.environment!).filter((name) => !isSetting(name))).toEqual([]);
  for (const { secrets = [], volumes = [], networks, depends_on } of services) {
    expect(secrets.filter((name) => !compose.secrets[name])).toEqual([]);
    expect(namesOf(networks).filter((name) => !(name in compose.networks))).toEqual([]);
    expect(namesOf(depends_on).filter((name) => !compose.services[name])).toEqual([]);
    const named = volumes.map((volume) => volume.split(":")[0]!).filter((name) => !name.startsWith("."));
    expect(named.filter((name) => !(name in compose.volumes))).toEqual([]);
    const files = volumes.map((volume) => volume.split(":")[0]!).filter((name) => /^\.\/.*\.\w+$|Caddyfile/.test(name));
    for (const file of files) expect((await stat(path.join("deploy", file))).isFile()).toBe(true);
  }
});

test("the versions of package, program and chart are one", async () => {
  const { version } = JSON.parse(await read("package.json")) as { version: string };
  const chart = parse(await read(`${CHART}/Chart.yaml`)) as { version: string; appVersion: string };
  expect([VERSION, chart.version, chart.appVersion]).toEqual([version, version, version]);
});

test("a build never sees the secrets and data of a clone", async () => {
  const ignored = (await read(".dockerignore")).split("\n");
  expect(ignored).toEqual(expect.arrayContaining([".git", ".env", ".data", "deploy", "**/node_modules"]));
});

test("make-secrets.sh makes each secret once, and the address of the database with its password", async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), "hub-deploy "));
  afterAll(() => rm(folder, { recursive: true, force: true }));
  const script = path.join(folder, "make-secrets.sh");
  await cp("deploy/make-secrets.sh", script);
  // The permissions of files do not bind root.
  const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  await chmod(folder, 0o777);
  const makeSecrets = () => runProgram("sh", [script], user);
  const readSecret = (name: string) => read(path.join(folder, "secrets", name));
  await makeSecrets();
  const first = await readSecret("hub_secret");
  await makeSecrets();
  expect(await readSecret("hub_secret")).toBe(first);
  expect(first).toMatch(/^[0-9a-f]{64}\n$/);
  const password = (await readSecret("postgres_password")).trim();
  expect(await readSecret("database_url")).toBe(`postgres://hub:${password}@postgres:5432/hub\n`);
});

const helm = findProgram("helm");
/** A folder of Kubernetes' JSON schemas, as kubeconform names them: it would download them otherwise. */
const { KUBECONFORM_SCHEMAS } = process.env;
if (process.env.SOAK && !helm) process.stdout.write("skipped, the chart: helm is missing\n");

test.skipIf(!process.env.SOAK || !helm)("the chart renders with every option and with the fewest", async () => {
  const values = ["--values", `${CHART}/ci/full-values.yaml`];
  await runProgram(helm!, ["lint", "--strict", CHART, ...values]);
  const render = (...more: string[]) =>
    runProgram(helm!, ["template", "hub", CHART, "--kube-version", "1.32.0", ...more]);
  const kindsOf = (text: string) =>
    parseAllDocuments(text).map((document) => (document.toJS() as { kind: string }).kind);
  const full = await render(...values);
  expect(kindsOf(full)).toEqual(expect.arrayContaining(["Deployment", "Ingress", "HorizontalPodAutoscaler"]));
  // YAML 1.1 reads an unquoted "on" as true.
  expect(full).toContain('LOG_REQUESTS: "on"');
  if (KUBECONFORM_SCHEMAS && findProgram("kubeconform")) {
    const file = path.join(await mkdtemp(path.join(os.tmpdir(), "hub-chart-")), "chart.yaml");
    await writeFile(file, full);
    const options = ["-strict", "-ignore-missing-schemas", "-schema-location", KUBECONFORM_SCHEMAS];
    await runProgram(findProgram("kubeconform")!, [...options, file]);
    await rm(path.dirname(file), { recursive: true });
  }
  const least = [
    "--set",
    "env.BASE_URL=https://hub.example",
    "--set",
    "env.STORAGE_S3_BUCKET=hub",
    "--set",
    "secretName=hub",
  ];
  expect(kindsOf(await render(...least)).sort()).toEqual([
    "ConfigMap",
    "Deployment",
    "NetworkPolicy",
    "PodDisruptionBudget",
    "Service",
    "ServiceAccount",
  ]);
  await expect(render("--set", "secretName=hub")).rejects.toThrow("env.BASE_URL: set the address");
  await expect(render(...least, "--set", "serviceMonitor.enabled=true")).rejects.toThrow(
    "add METRICS_TOKEN to secretKeys",
  );
});

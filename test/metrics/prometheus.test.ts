import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { parse } from "yaml";
import { reservePort } from "../reserve-port";
import { findProgram, runProgram } from "../image/tools";
import { documentedMetrics } from "./parse-metrics";
import { openLoadedHub } from "./loaded-hub";
import { WAIT } from "../wait";

const [prometheus, promtool] = [findProgram("prometheus"), findProgram("promtool")];
if (!prometheus || !promtool) process.stdout.write("skipped, Prometheus' queries and rules: prometheus is missing\n");

// Opened here, because what it opens is closed after the file and not after a test.
const host = prometheus ? await openLoadedHub() : null;

interface Dashboard {
  panels: { title: string; targets: { expr: string }[] }[];
}
interface Rules {
  groups: { rules: { alert: string; expr: string }[] }[];
}
const dashboard = JSON.parse(await readFile("deploy/grafana/hub.json", "utf8")) as Dashboard;
const rules = (parse(await readFile("deploy/prometheus/rules.yml", "utf8")) as Rules).groups.flatMap(
  ({ rules }) => rules,
);
const queries = dashboard.panels.flatMap(({ title, targets }) => targets.map(({ expr }) => ({ title, expr })));

test("dashboard and alerts name only documented metrics, and every alert is documented", async () => {
  const known = [...documentedMetrics().keys()];
  const texts = [...queries, ...rules].map(({ expr }) => expr);
  for (const expr of texts)
    for (const [name] of expr.matchAll(/\b(?:hub|nodejs|process)_\w+/g))
      // An expression that matches names by a pattern contains no whole name.
      if (!expr.includes("__name__")) expect(known).toContain(name.replace(/_bucket$/, ""));
  const page = await readFile("docs/metrics.md", "utf8");
  expect(rules.map(({ alert }) => alert).filter((alert) => !page.includes(`| \`${alert}\` |`))).toEqual([]);
  const named = new Set(texts.flatMap((expr) => known.filter((name) => expr.includes(name))));
  // The dashboard does not need this metric, which answers single questions.
  expect(known.filter((name) => !named.has(name))).toEqual(["process_start_time_seconds"]);
});

test.skipIf(!promtool)("each alert is raised by its own condition, and by no other", async () => {
  await runProgram(promtool!, ["check", "rules", "rules.yml"], { cwd: "deploy/prometheus" });
  await runProgram(promtool!, ["test", "rules", "rules.test.yml"], { cwd: "deploy/prometheus" });
  const tested = await readFile("deploy/prometheus/rules.test.yml", "utf8");
  for (const { alert } of rules)
    expect(tested.match(new RegExp(`alertname: ${alert}\\b`, "g"))!.length).toBeGreaterThan(1);
});

test.skipIf(!prometheus)("Prometheus scrapes a loaded hub and answers every query of the dashboard", async () => {
  await host!.sendLoad();
  const server = await startPrometheus(host!.metricsPort);
  await vi.waitFor(async () => expect(await server.query('up{job="hub"}')).toHaveLength(1), WAIT);
  // Rates need what changes between two scrapes.
  await server.waitForScrapes(1);
  await host!.sendLoad();
  // The first of them may have begun before the load ended.
  await server.waitForScrapes(2);
  const unanswered = [];
  for (const { title, expr } of queries) {
    const found = await server.query(expr.replaceAll("$__rate_interval", "1m"));
    if (found.length === 0 || found.some(({ value }) => value[1] === "NaN")) unanswered.push({ title, expr, found });
  }
  expect(unanswered).toEqual([]);
  // The rules are loaded, and none of them has an error.
  const evaluated = await server.listRules();
  expect(evaluated).toEqual(rules.map(({ alert }) => ({ name: alert, health: "ok" })));
});

/** Starts a Prometheus that scrapes this port of the loopback address twice a second. */
async function startPrometheus(hubPort: number) {
  const folder = await mkdtemp(path.join(os.tmpdir(), "hub-prometheus-"));
  const [port, file] = [await reservePort(), path.join(folder, "prometheus.yml")];
  await writeFile(
    file,
    JSON.stringify({
      global: { scrape_interval: "500ms", evaluation_interval: "500ms" },
      rule_files: [path.resolve("deploy/prometheus/rules.yml")],
      scrape_configs: [{ job_name: "hub", static_configs: [{ targets: [`127.0.0.1:${hubPort}`] }] }],
    }),
  );
  const options = [`--config.file=${file}`, `--storage.tsdb.path=${path.join(folder, "data")}`];
  const child = spawn(prometheus!, [...options, `--web.listen-address=127.0.0.1:${port}`], { stdio: "ignore" });
  onTestFinished(async () => {
    await stopChild(child);
    await rm(folder, { recursive: true, force: true });
  });
  const read = async (address: string) => {
    const response = await fetch(`http://127.0.0.1:${port}/api/v1/${address}`);
    const { status, data, error } = (await response.json()) as { status: string; data: unknown; error?: string };
    if (status !== "success") throw new Error(`${address}: ${error}`);
    return data;
  };
  const query = async (expr: string) => {
    const data = (await read(`query?query=${encodeURIComponent(expr)}`)) as { result: { value: [number, string] }[] };
    return data.result;
  };
  const countScrapes = async () => Number((await query('count_over_time(up{job="hub"}[5m])'))[0]?.value[1]);
  return {
    query,
    /** Waits for this many further scrapes. */
    async waitForScrapes(count: number) {
      const before = await countScrapes();
      await vi.waitFor(async () => expect(await countScrapes()).toBeGreaterThanOrEqual(before + count), WAIT);
    },
    async listRules() {
      let found: { name: string; health: string }[] = [];
      await vi.waitFor(async () => {
        const { groups } = (await read("rules")) as { groups: { rules: { name: string; health: string }[] }[] };
        found = groups.flatMap(({ rules }) => rules.map(({ name, health }) => ({ name, health })));
        expect(found.map(({ health }) => health)).not.toContain("unknown");
      }, WAIT);
      return found;
    },
  };
}

async function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGTERM");
  await ended;
}

import { type RunningHub, startHub } from "../../e2e/server";
import { type Balancer, startBalancer } from "./balancer";
import { reservePort } from "../reserve-port";

/** Hubs on one database behind one load balancer. */
export interface HubGroup {
  url: string;
  count: number;
  start(settings: Record<string, string>): Promise<void>;
  /** Kills one hub and starts it again. */
  killAndRestart(index: number): Promise<void>;
  /** Returns every line that any hub has printed. */
  lines(): string[];
  cli: RunningHub["cli"];
  stop(): Promise<void>;
}

/** Prepares that many hubs; `start` runs them with their settings. */
export async function prepareHubs(count: number, dataDir: string): Promise<HubGroup> {
  const ports = await Promise.all(Array.from({ length: count }, () => reservePort()));
  const address = count === 1 ? ports[0]! : await reservePort();
  const url = `http://127.0.0.1:${address}`;
  const started: RunningHub[] = [];
  let running: RunningHub[] = [];
  let balancer: Balancer | undefined;
  let settings: Record<string, string> = {};

  const start = async (port: number) => {
    const hub = await startHub({
      dataDir,
      env: { ...settings, BASE_URL: url, PORT: String(port), LOG_LEVEL: "debug" },
    });
    started.push(hub);
    return hub;
  };
  return {
    url,
    count,
    async start(newSettings) {
      settings = newSettings;
      if (count > 1) balancer = await startBalancer(address, ports);
      // Started one after another, because the first migrates the database.
      for (const port of ports) running.push(await start(port));
    },
    async killAndRestart(index) {
      await running[index]!.kill9();
      running[index] = await start(ports[index]!);
    },
    lines: () => started.flatMap((hub) => hub.output().split("\n")),
    cli: (...values) => running[0]!.cli(...values),
    async stop() {
      await Promise.all(running.map((hub) => hub.stop()));
      running = [];
      await balancer?.close();
    },
  };
}

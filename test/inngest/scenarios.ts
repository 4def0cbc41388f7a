import { soakCount } from "../soak";
import type { HubGroup } from "./hub-group";
import type { InngestServer, Store } from "./inngest-server";

export type Engine = Store["kind"] | "embedded";

/** The processes that a scenario may kill. */
interface Target {
  hubs: HubGroup;
  server: InngestServer | undefined;
}

export interface Scenario {
  name: string;
  engine: Engine;
  hubs: number;
  generations: number;
  /** Causes the failure while generations are created, and resolves when all processes run again. */
  inject(target: Target): Promise<void>;
}

const KILLS = soakCount(2, 10);
const HUB_KILLS = soakCount(2, 40);
const DEV_KILLS = soakCount(1, 3);
const OUTAGE_MS = soakCount(15_000, 324_000);
const SERVER_KILL_EVERY_MS = 4_200;
const HUB_PAUSE_MS = 3_000;

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

const doNothing = async () => undefined;
const killServer =
  (count: number) =>
  async ({ server }: Target) => {
    for (let kill = 0; kill < count; kill += 1) {
      const next = pause(SERVER_KILL_EVERY_MS);
      await server!.kill9();
      await server!.start();
      await next;
    }
  };
const stopServerFor = async ({ server }: Target) => {
  await server!.kill9();
  await pause(OUTAGE_MS);
  await server!.start();
};
const killHubs = async ({ hubs }: Target) => {
  for (let kill = 0; kill < HUB_KILLS; kill += 1) {
    await hubs.killAndRestart(kill % hubs.count);
    await pause(HUB_PAUSE_MS);
  }
};

/** Returns the failures that a hub must survive without a loss; `store` is that of a self-hosted server. */
export function listScenarios(store: "sqlite" | "postgres"): Scenario[] {
  const scenario = (name: string, engine: Engine, hubs: number, generations: number, inject: Scenario["inject"]) => ({
    name,
    engine,
    hubs,
    generations,
    inject,
  });
  return [
    scenario("no failure", store, 1, soakCount(20, 500), doNothing),
    scenario("Inngest is killed", store, 1, soakCount(40, 500), killServer(KILLS)),
    scenario("Inngest is away", store, 1, soakCount(40, 300), stopServerFor),
    scenario("the hub is killed", store, 1, soakCount(40, 300), killHubs),
    scenario("two hubs are killed in turn", store, 2, soakCount(40, 300), killHubs),
    scenario("the dev server is killed", "memory", 1, soakCount(30, 200), killServer(DEV_KILLS)),
    scenario("the hub with the embedded engine is killed", "embedded", 1, soakCount(40, 300), killHubs),
    scenario("two hubs with the embedded engine are killed in turn", "embedded", 2, soakCount(40, 300), killHubs),
  ];
}

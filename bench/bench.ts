import type { Hub } from "../server/domain/hub";

/** What all benchmarks share. */
export interface Bench {
  /** A hub without a job engine, on a database of its own. */
  hub: Hub;
  /** The settings of processes that share the hub's database. */
  settings: Record<string, string> & { DATABASE_URL: string; HUB_DATA_DIR: string };
  /** The URL at which `host.ts` serves the hub. */
  base: string;
  /** The URL of the Postgres, without a database. */
  cluster: string;
  /** The port of the provider of chats in the hub's catalogue. */
  upstreamPort: number;
  /** The arguments after the command. */
  values: string[];
}

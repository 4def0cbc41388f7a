import type { TestProject } from "vitest/node";
import { startThrowawayCluster } from "./cluster";

declare module "vitest" {
  interface ProvidedContext {
    /** Connection string of the test cluster, without a database. */
    postgres: string;
  }
}

// Tests need the behaviour of Postgres, but not its durability.
const fast = { fsync: "off", synchronous_commit: "off", full_page_writes: "off", max_connections: "300" };

/**
 * Starts one real Postgres for the whole test run, with a migrated template that each suite clones (see
 * test/database.ts).
 */
export default async function setup(project: TestProject) {
  const cluster = await startThrowawayCluster(fast);
  project.provide("postgres", cluster.url);
  return () => cluster.stop();
}

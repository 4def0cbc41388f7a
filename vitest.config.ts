import path from "node:path";
import { defineConfig } from "vitest/config";

export default defineConfig({
  resolve: { alias: { "@": path.resolve(import.meta.dirname) } },
  test: {
    include: ["{app,server,inngest,prisma,test,scripts}/**/*.test.ts"],
    globalSetup: ["test/postgres.ts"],
    // Full counts take their time.
    testTimeout: process.env.SOAK ? 300_000 : 30_000,
    hookTimeout: 60_000,
    // HTTPS receivers of tests have their certificate from an authority of their own; Node reads this at its start.
    env: { NODE_EXTRA_CA_CERTS: path.resolve(import.meta.dirname, "test/authority/authority.cert.pem") },
    // Tests keep to databases and folders of their own, and leave nothing behind in modules: loading all of the hub anew
    // for each file would take a third of the time.
    isolate: false,
    // On two cores: some tests wait for processes that start or are killed.
    maxWorkers: 3,
    // A busy machine takes longer than the second that is the default; what never comes still fails.
    expect: { poll: { timeout: 10_000 } },
  },
});

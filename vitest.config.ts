import path from "node:path";
import { defineConfig } from "vitest/config";
import { splitTests } from "./test/projects";

const { unit, database } = splitTests();
// Names are matched as patterns, in which the parentheses and brackets of Next's folders would have a meaning.
const escape = (file: string) => file.replace(/[()[\]{}!*?+@]/g, "\\$&");

export default defineConfig({
  resolve: { alias: { "@": path.resolve(import.meta.dirname) } },
  test: {
    projects: [
      // One after the other, so that a worker does not load the modules of the hub anew at each change of the project.
      { extends: true, test: { name: "unit", include: unit.map(escape), sequence: { groupOrder: 0 } } },
      {
        extends: true,
        test: {
          name: "database",
          include: database.map(escape),
          globalSetup: ["test/postgres.ts"],
          sequence: { groupOrder: 1 },
        },
      },
    ],
    coverage: {
      provider: "v8",
      include: ["app/**/*.{ts,tsx}", "server/**/*.ts", "inngest/**/*.ts"],
      reporter: ["text-summary", "html"],
    },
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

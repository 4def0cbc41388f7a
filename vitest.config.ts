import path from "node:path";
import { defineConfig } from "vitest/config";

export default defineConfig({
  resolve: { alias: { "@": path.resolve(import.meta.dirname) } },
  test: {
    include: ["{app,server,inngest,prisma,test,scripts}/**/*.test.ts"],
    globalSetup: ["test/postgres.ts"],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Two cores: more workers only wait for each other.
    maxWorkers: 2,
  },
});

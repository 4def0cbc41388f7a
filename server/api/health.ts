import { z } from "@hono/zod-openapi";
import { checkReady } from "../domain/health/check-ready";
import { defineOperation } from "./operation";

const Ok = z.object({ status: z.literal("ok") }).openapi("Ok");
const shared = { method: "get", tag: "Service", auth: "none", cost: null } as const;

export const getHealth = defineOperation({
  ...shared,
  name: "getHealth",
  path: "/api/v1/health",
  summary: "Whether the process is up",
  description: "Asks nothing of the database.",
  responses: { 200: { description: "It is", schema: Ok } },
  problems: [],
  handler: () => ({ json: { status: "ok" } }),
});

export const getReadiness = defineOperation({
  ...shared,
  name: "getReadiness",
  path: "/api/v1/ready",
  summary: "Whether requests can be served",
  description: "The database, the job engine and the storage of files answer.",
  responses: { 200: { description: "They can", schema: Ok } },
  problems: ["service_unavailable"],
  async handler({ hub }) {
    await checkReady(hub);
    return { json: { status: "ok" } };
  },
});

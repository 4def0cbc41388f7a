import { z } from "@hono/zod-openapi";
import { checkReady } from "../domain/health";
import { VERSION } from "../lib/version";
import { defineOperation } from "./operation";

const Ok = z.object({ status: z.literal("ok") }).openapi("Ok");
const shared = { method: "get", tag: "Service", auth: "none", cost: null } as const;

export const getHealth = defineOperation({
  ...shared,
  name: "getHealth",
  path: "/api/v1/health",
  summary: "Check health",
  description: "Returns 200 while the process runs, without a database query.",
  responses: { 200: { description: "Healthy", schema: Ok } },
  problems: [],
  handler: () => ({ json: { status: "ok" } }),
});

export const getReadiness = defineOperation({
  ...shared,
  name: "getReadiness",
  path: "/api/v1/ready",
  summary: "Check readiness",
  description:
    "Returns 200 if the database, the job engine and the file storage are available and the process is not shutting down.",
  responses: { 200: { description: "Ready", schema: Ok } },
  problems: ["service_unavailable"],
  async handler({ hub }) {
    await checkReady(hub);
    return { json: { status: "ok" } };
  },
});

const Version = z
  .object({ name: z.literal("generation-hub"), version: z.string().openapi({ example: VERSION }) })
  .openapi("Version");

export const getVersion = defineOperation({
  ...shared,
  name: "getVersion",
  path: "/api/v1/version",
  summary: "Get the version",
  description: "Returns the name and version of the program.",
  responses: { 200: { description: "The version", schema: Version } },
  problems: [],
  handler: () => ({ json: { name: "generation-hub", version: VERSION } }),
});

import { createServer, type RequestListener } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { Hono } from "hono";
import { createListener } from "../server/api/listener";
import { composeHub } from "../server/hub";
import { readEnv } from "../server/env";
import { createRequestListener } from "../server/process/route";
import { deriveHub } from "../test/derive-hub";

/** The REST API as the product hosts it, beside an empty handler on the same server; nobody runs the jobs. */
const env = readEnv();
const { hub } = await composeHub(env, env.DATABASE_URL!);
const still = deriveHub(hub, { publish: () => undefined });
const bare = new Hono().get("/empty", (c) => c.text("ok"));
const empty = getRequestListener(bare.fetch);
const pages: RequestListener = (request, response) => void empty(request, response);
const listener = createRequestListener({ api: createListener(still), pages }, env);
const server = createServer(listener).listen(env.PORT, () => process.send?.("ready"));
process.on("disconnect", () => {
  server.closeAllConnections();
  process.exit(0);
});

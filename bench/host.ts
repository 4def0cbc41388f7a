import type { RequestListener } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { Hono } from "hono";
import { createListener } from "../server/api/listener";
import { composeHub } from "../server/compose-hub";
import { readEnv } from "../server/env";
import { createRequestListener } from "../server/process/request-listener";
import { deriveHub } from "../test/derive-hub";
import { serveParent } from "./serve-parent";

// Hosts the REST API as the product does, and an empty handler on the same server, without a job engine.
const env = readEnv();
const { hub } = await composeHub(env, env.DATABASE_URL!);
const hubWithoutEngine = deriveHub(hub, { publish: () => undefined });
const bare = new Hono().get("/empty", (c) => c.text("ok"));
const empty = getRequestListener(bare.fetch);
const pages: RequestListener = (request, response) => void empty(request, response);
serveParent(createRequestListener({ api: createListener(hubWithoutEngine), pages }, env));

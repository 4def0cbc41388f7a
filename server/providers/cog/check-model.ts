import { z } from "zod";
import type { Route } from "../../catalogue/model";
import { callApi } from "../http/call-api";
import { describeCheckError } from "../http/check-access";
import type { ProviderIo } from "../provider";
import { cogApi } from "./api";

const Health = z.object({ status: z.string().max(40) });
const Description = z.object({
  components: z.object({ schemas: z.object({ Input: z.object({ properties: z.record(z.string(), z.unknown()) }) }) }),
});

/** Returns why a container cannot serve a route: it is not ready, or its model lacks an input that the route names. */
export async function checkModel(route: Route, io: ProviderIo): Promise<string | null> {
  try {
    const health = await callApi(cogApi, route.provider, io, { url: "/health-check" });
    const { data } = Health.safeParse(health.body);
    if (health.status !== 200 || !data) return `The server does not speak cog's protocol (status ${health.status}).`;
    if (data.status !== "READY" && data.status !== "BUSY") return `The model is not ready: ${data.status}.`;
    const { body } = await callApi(cogApi, route.provider, io, { url: "/openapi.json" });
    return findUnknownInput(route, Description.safeParse(body).data?.components.schemas.Input.properties);
  } catch (error) {
    return describeCheckError(error);
  }
}

/** Returns what is wrong with the names of a route. cog drops inputs that its model does not have without a word. */
function findUnknownInput({ rename, set }: Route, inputs: Record<string, unknown> | undefined): string | null {
  const named = [...Object.values(rename), ...Object.keys(set)];
  const unknown = inputs && named.find((name) => !Object.hasOwn(inputs, name));
  return unknown === undefined ? null : `The model has no input "${unknown}".`;
}

import { z } from "zod";
import type { Route, Workflow } from "../../catalogue/model";
import { callApi } from "../http/call-api";
import { describeCheckError } from "../http/check-access";
import type { ProviderIo } from "../provider";
import { comfyuiApi, LARGE_RESPONSE } from "./api";

const Stats = z.object({ system: z.object({ comfyui_version: z.string() }) });

/** The inputs of a class of nodes: a list of the values that it takes, or a type and its options. */
const Inputs = z
  .record(z.string(), z.tuple([z.unknown()], z.unknown()))
  .optional()
  .catch(undefined);
const NodeClass = z.object({ input: z.object({ required: Inputs, optional: Inputs }) });
type NodeClass = z.output<typeof NodeClass>;

/** Returns why a server cannot run a route's workflow: it lacks a class of nodes, or a file that a node names. */
export async function checkWorkflow({ provider, workflow }: Route, io: ProviderIo): Promise<string | null> {
  const get = (url: string) => callApi(comfyuiApi, provider, io, { url, ...LARGE_RESPONSE });
  try {
    const stats = await get("/system_stats");
    if (stats.status !== 200 || !Stats.safeParse(stats.body).success)
      return `The server does not speak ComfyUI's protocol (status ${stats.status}).`;
    const names = new Set(Object.values(workflow!.nodes).map(({ class_type }) => class_type));
    for (const name of names) {
      const { body } = await get(`/object_info/${encodeURIComponent(name)}`);
      const info = z.record(z.string(), NodeClass).safeParse(body).data;
      const issue = info && Object.hasOwn(info, name) ? findUnknownValue(workflow!, name, info[name]!) : "is unknown";
      if (issue) return `${name} ${issue}.`;
    }
    return null;
  } catch (error) {
    return describeCheckError(error);
  }
}

/** Returns the first value of the workflow that the class does not take; null if there is none. */
function findUnknownValue({ nodes, bind }: Workflow, name: string, nodeClass: NodeClass): string | null {
  const bound = new Set(Object.values(bind).map((place) => place.join(".")));
  for (const [id, { class_type, inputs }] of Object.entries(nodes)) {
    if (class_type !== name) continue;
    for (const [place, value] of Object.entries(inputs)) {
      const isFixed = typeof value === "string" && !bound.has(`${id}.${place}`);
      if (isFixed && listValues(nodeClass, place)?.includes(value) === false) return `has no ${place} "${value}"`;
    }
  }
  return null;
}

const Combo = z.object({ options: z.array(z.unknown()) });

/** Returns the values that an input takes; undefined if they are not listed. */
function listValues({ input }: NodeClass, place: string): unknown[] | undefined {
  const [type, options] = input.required?.[place] ?? input.optional?.[place] ?? [];
  if (Array.isArray(type)) return type as unknown[];
  return type === "COMBO" ? Combo.safeParse(options).data?.options : undefined;
}

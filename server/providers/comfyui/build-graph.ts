import { randomInt } from "node:crypto";
import type { Workflow } from "../../catalogue/model";
import { HUB_FOLDER } from "./api";

const SEED = /^(noise_)?seed$/;
const MAX_SEED = 2 ** 48 - 1;

/**
 * Returns a workflow's graph with the parameters of a job in their places; inputs of omitted ones stay as they are in the
 * workflow. The names of saved files begin with the attempt's id, and bound seeds that are omitted are random: nodes that
 * have run with the same inputs before run no more, and name the files of then. Returns an issue for a value that must
 * not become an input of a node.
 */
export function buildGraph(
  { nodes, bind }: Workflow,
  input: Record<string, unknown>,
  attemptId: string,
): { graph: Workflow["nodes"] } | { issue: string } {
  const graph = structuredClone(nodes);
  for (const [name, [node, place]] of Object.entries(bind)) {
    const value = readParameter(input, name) ?? (SEED.test(place) ? randomInt(MAX_SEED) : undefined);
    if (value === undefined) continue;
    // A list would be a connection to another node.
    if (typeof value === "object") return { issue: `${name} must be a single value` };
    graph[node]!.inputs[place] = value;
  }
  for (const { inputs } of Object.values(graph)) {
    if (typeof inputs.filename_prefix === "string") inputs.filename_prefix = `${HUB_FOLDER}/${attemptId}`;
  }
  return { graph };
}

/** Returns the value of a parameter, or of an item of a list for a name such as `image_input.0`. */
function readParameter(input: Record<string, unknown>, name: string): unknown {
  if (Object.hasOwn(input, name)) return input[name];
  const [, list = "", index] = /^(.+)\.(\d+)$/.exec(name) ?? [];
  const items = Object.hasOwn(input, list) ? input[list] : undefined;
  return Array.isArray(items) ? (items as unknown[])[Number(index)] : undefined;
}

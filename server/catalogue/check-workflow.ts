import { asObject, isObject } from "../lib/is-object";
import type { ProviderKind } from "./model";
import { PLACE } from "./shape-route";
import type { ReportIssue, Schema } from "./subschemas";
import { resolveWorkflow, type WorkflowReader } from "./workflow-reader";

const settings = ["workflow", "bind", "outputs"] as const;

interface WorkflowContext {
  kind: ProviderKind | undefined;
  /** The members of upstream's input; null if the parameters are invalid. */
  upstreamNames: Set<string> | null;
  readWorkflow: WorkflowReader;
}

/** Reports a workflow that ComfyUI could not run, and bindings of parameters, nodes or inputs that do not exist. */
export function checkWorkflow(route: Schema, context: WorkflowContext, report: ReportIssue): void {
  const { kind, readWorkflow } = context;
  const { workflow } = route;
  if (kind !== "comfyui") {
    for (const setting of settings)
      if (kind && route[setting] !== undefined) report([setting], "is only for providers of kind comfyui");
  } else if (workflow === undefined) report(["workflow"], "is required for a provider of kind comfyui");
  else if (typeof workflow === "string" || isObject(workflow)) {
    const file = resolveWorkflow(workflow, readWorkflow);
    if ("issue" in file) return report(["workflow"], file.issue);
    const nodes = readNodes(file.workflow, (message) => report(["workflow"], message));
    if (nodes) checkNodes(route, nodes, context, report);
  }
}

/** The names of the inputs of each node. */
type Nodes = Map<string, Set<string>>;

function checkNodes(route: Schema, nodes: Nodes, { upstreamNames }: WorkflowContext, report: ReportIssue): void {
  for (const [index, node] of (Array.isArray(route.outputs) ? route.outputs : []).entries())
    if (!nodes.has(String(node))) report(["outputs", index], `is not a node of the workflow: ${String(node)}`);
  checkBindings(asObject(route.bind), { nodes, upstreamNames }, report);
}

/** Returns the nodes of a workflow; undefined after reporting that it is not in the API format. */
function readNodes(workflow: unknown, report: (message: string) => void): Nodes | undefined {
  const nodes: Nodes = new Map();
  for (const [id, node] of Object.entries(asObject(workflow))) {
    const isNode = isObject(node) && typeof node.class_type === "string" && isObject(node.inputs);
    if (!isNode) return void report(`is not in ComfyUI's API format at node ${id}: save it by Export (API)`);
    nodes.set(id, new Set(Object.keys(node.inputs as Schema)));
  }
  if (nodes.size > 0) return nodes;
  return void report("has no nodes");
}

function checkBindings(
  bind: Schema,
  { nodes, upstreamNames }: { nodes: Nodes; upstreamNames: Set<string> | null },
  report: ReportIssue,
): void {
  const bound = new Set<unknown>();
  for (const [name, place] of Object.entries(bind)) {
    const isKnown = upstreamNames?.has(name) || upstreamNames?.has(name.replace(/\.\d+$/, ""));
    if (upstreamNames && !isKnown) report(["bind", name], "is not a parameter of the model");
    const [, node, input] = PLACE.exec(String(place)) ?? [];
    if (node === undefined) continue;
    const inputs = nodes.get(node);
    if (!inputs) report(["bind", name], `names the unknown node ${node}`);
    else if (!inputs.has(input!)) report(["bind", name], `names the unknown input ${input} of node ${node}`);
    if (bound.has(place)) report(["bind", name], `is bound to the same input as another: ${String(place)}`);
    bound.add(place);
  }
}

import type { Workflow } from "../../../server/catalogue/model";
import { type InputInfo, nodeClasses } from "./nodes";

type Graph = Workflow["nodes"];

interface NodeIssue {
  type: string;
  message: string;
  details: string;
  extra_info: { input_name: string };
}

/** What `POST /prompt` finds in a graph. */
export interface Validation {
  /** Set if nothing can run. */
  error?: { type: string; message: string; details: string; extra_info: object };
  node_errors: Record<string, { errors: NodeIssue[]; dependent_outputs: string[]; class_type: string }>;
  /** The output nodes that can run. */
  outputs: string[];
}

/** Validates a graph as ComfyUI does: each output node with all nodes before it. */
export function validateGraph(graph: Graph, hasInput: (name: string) => boolean): Validation {
  const unknown = Object.values(graph).find(({ class_type }) => !(class_type in nodeClasses));
  if (unknown) {
    const message = `Cannot execute because node ${unknown.class_type} does not exist.`;
    return reject("invalid_prompt", message);
  }
  const outputs = Object.keys(graph).filter((id) => nodeClasses[graph[id]!.class_type]!.output_node);
  if (outputs.length === 0) return reject("prompt_no_outputs", "Prompt has no outputs");
  const node_errors: Validation["node_errors"] = {};
  const valid = outputs.filter((output) => {
    const failing = findNodes(graph, output).filter((id) => {
      const { class_type, inputs } = graph[id]!;
      const errors = findIssues(class_type, inputs, hasInput);
      if (errors.length === 0) return false;
      node_errors[id] ??= { errors, dependent_outputs: [], class_type };
      node_errors[id].dependent_outputs.push(output);
      return true;
    });
    return failing.length === 0;
  });
  if (valid.length > 0) return { node_errors, outputs: valid };
  return { ...reject("prompt_outputs_failed_validation", "Prompt outputs failed validation"), node_errors };
}

const reject = (type: string, message: string): Validation => ({
  error: { type, message, details: "", extra_info: {} },
  node_errors: {},
  outputs: [],
});

/** Returns the ids of a node and of all nodes that it needs. */
export function findNodes(graph: Graph, id: string): string[] {
  const before = Object.values(graph[id]!.inputs).flatMap((value) =>
    Array.isArray(value) ? findNodes(graph, String(value[0])) : [],
  );
  return [...new Set([...before, id])];
}

function findIssues(
  className: string,
  inputs: Record<string, unknown>,
  hasInput: (name: string) => boolean,
): NodeIssue[] {
  const { required, optional = {} } = nodeClasses[className]!.input;
  return Object.entries({ ...required, ...optional }).flatMap(([name, info]) => {
    const issue = (type: string, message: string) => [
      { type, message, details: name, extra_info: { input_name: name } },
    ];
    const value = inputs[name] as string | undefined | unknown[];
    if (value === undefined)
      return name in required ? issue("required_input_missing", "Required input is missing") : [];
    if (Array.isArray(value)) return [];
    if (className === "LoadImage")
      return hasInput(value) ? [] : issue("custom_validation_failed", "Custom validation failed for node");
    return checkValue(value, info, issue);
  });
}

function checkValue(
  value: string,
  [type, options = {}]: InputInfo,
  issue: (type: string, message: string) => NodeIssue[],
) {
  const values = Array.isArray(type) ? type : options.options;
  if (values) return values.includes(value) ? [] : issue("value_not_in_list", "Value not in list");
  if (type !== "INT") return [];
  const number = Math.trunc(Number(value));
  if (Number.isNaN(number)) return issue("invalid_input_type", "Failed to convert an input value to a INT value");
  const { min = -Infinity, max = Infinity } = options;
  if (number < min) return issue("value_smaller_than_min", `Value ${number} smaller than min of ${min}`);
  return number > max ? issue("value_bigger_than_max", `Value ${number} bigger than max of ${max}`) : [];
}

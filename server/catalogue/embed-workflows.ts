import { type Document, isAlias, isPair, isScalar, isSeq, parseDocument, visit, type YAMLMap } from "yaml";
import { formatYaml } from "./format-yaml";
import type { WorkflowReader } from "./workflow-reader";

/** Returns a checked catalogue with workflows in place of the names of their files; the same text if it names none. */
export function embedWorkflows(text: string, readWorkflow: WorkflowReader): string {
  const document = parseDocument(text);
  let hasFiles = false;
  visit(document, {
    Map(_, node, ancestors) {
      if (!isRoute(ancestors)) return;
      const file = findFile(document, node);
      const found = file === undefined ? undefined : readWorkflow(file);
      if (!found || "issue" in found) return;
      node.set("workflow", document.createNode(found.workflow));
      hasFiles = true;
    },
  });
  return hasFiles ? formatYaml(document) : text;
}

/** Returns whether the innermost ancestors are a list and its key `routes`. */
function isRoute(ancestors: readonly unknown[]): boolean {
  const [pair, list] = ancestors.slice(-2);
  return isSeq(list) && isPair(pair) && isScalar(pair.key) && pair.key.value === "routes";
}

function findFile(document: Document, route: YAMLMap): string | undefined {
  const written = route.get("workflow", true) as unknown;
  const node = isAlias(written) ? written.resolve(document) : written;
  return isScalar(node) && typeof node.value === "string" ? node.value : undefined;
}

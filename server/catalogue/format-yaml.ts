import { type Document, visit, type YAMLMap, type YAMLSeq } from "yaml";

/**
 * Returns the text of a YAML document with its comments and order. Lists in one line are written as `[a, b]` and mappings
 * as `{ a: b }`; the library would pad both in the same way.
 */
export function formatYaml(document: Document): string {
  visit(document, {
    Seq: (_, node) => setPadding(node, ""),
    Map: (_, node) => setPadding(node, " "),
  });
  return document.toString({ lineWidth: 0 });
}

function setPadding(node: YAMLSeq | YAMLMap, flowCollectionPadding: string): void {
  const write = node.toString.bind(node);
  node.toString = (context, ...rest) => write(context && { ...context, flowCollectionPadding }, ...rest);
}

import { type Document, isAlias, isCollection, isNode, type Node, visit } from "yaml";
import { detachNode } from "../detach-node";
import type { Path } from "../subschemas";

/**
 * Replaces aliases with copies wherever a change at these places would also change other parts of the document. Returns
 * whether there were any.
 */
export function detachShared(document: Document, paths: Path[]): boolean {
  const changing = new Set(paths.flatMap((path) => listNodes(document, path)));
  const anchors = new Set([...changing].map((node) => (isAlias(node) ? undefined : node.anchor)));
  let isChanged = false;
  visit(document, {
    Alias(_, alias) {
      // Each look-up of an alias reads the document up to it.
      const target = anchors.has(alias.source) ? alias.resolve(document) : undefined;
      if (!target || !changing.has(target)) return undefined;
      isChanged = true;
      return detachNode(document, target);
    },
  });
  return isChanged;
}

/** Returns the nodes on a path and all nodes within the last of them, with aliases resolved. */
function listNodes(document: Document, path: Path): Node[] {
  const nodes: Node[] = [];
  const add = (node: unknown): unknown => {
    const resolved = isAlias(node) ? node.resolve(document) : node;
    if (isNode(resolved)) nodes.push(resolved);
    return resolved;
  };
  let node = add(document.contents);
  for (const part of path) node = isCollection(node) ? add(node.get(part, true)) : undefined;
  if (isNode(node)) visit(node, { Node: (_, inner) => void add(inner) });
  return nodes;
}

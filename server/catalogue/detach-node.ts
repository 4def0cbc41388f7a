import { type Document, type Node, visit } from "yaml";

/** Returns a copy of a node for another place: with the values of aliases, and without anchors. */
export function detachNode<T extends Node>(document: Document, node: T): T {
  const copy = node.clone() as T;
  visit(copy, {
    Alias: (_, alias) => alias.resolve(document)!.clone() as Node,
    Value: (_, value) => void delete value.anchor,
  });
  return copy;
}

import type { ListedOperation } from "./listed-operation";

/** Returns the operations with all of these words in their method, path, title or tag. */
export function filterOperations(operations: ListedOperation[], words: string): ListedOperation[] {
  const wanted = words.toLowerCase().split(/\s+/);
  return operations.filter(({ method, path, summary, tag }) => {
    const text = [method, path, summary, tag].join(" ").toLowerCase();
    return wanted.every((word) => text.includes(word));
  });
}

/** Returns the operations of each tag, in the order of the tags. */
export const groupByTag = (operations: ListedOperation[]): { tag: string; operations: ListedOperation[] }[] =>
  [...new Set(operations.map(({ tag }) => tag))].map((tag) => ({
    tag,
    operations: operations.filter((operation) => operation.tag === tag),
  }));

import { anchorOf, operations, pathOfTag } from "./document";

/** An operation in the contents of the reference. */
export interface ListedOperation {
  method: string;
  path: string;
  summary: string;
  tag: string;
  /** Its URL in the reference. */
  href: string;
}

export const listedOperations: ListedOperation[] = operations.map((operation) => {
  const { method, path, summary, tags } = operation;
  const tag = tags[0]!;
  return { method, path, summary, tag, href: `${pathOfTag(tag)}#${anchorOf(operation)}` };
});

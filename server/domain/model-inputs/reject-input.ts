import { AppError } from "../../errors";

export const MAX_ISSUES = 20;

export type Issues = (readonly [path: string, message: string])[];

/**
 * Where the input is in the request body: in the member of this name, the body itself, or a character's members. With `inputs`,
 * paths begin with the index of an input.
 */
export type Root = "input" | "body" | "character" | "inputs" | `inputs.${number}`;

/**
 * Throws 400 `invalid_input` with these issues, at least one. `root` is the location of the input in the request body.
 */
export function rejectInput(root: Root, issues: Issues): never {
  const errors = new Map<string, Set<string>>();
  for (const [inner, message] of issues) {
    const path = pathIn(root, inner);
    if (errors.size === MAX_ISSUES && !errors.has(path)) continue;
    errors.set(path, (errors.get(path) ?? new Set()).add(message));
  }
  const [[path, messages]] = [...errors] as [[string, Set<string>]];
  const more = errors.size > 1 ? ` (and ${errors.size - 1} more in errors)` : "";
  throw new AppError("invalid_input", `${path}: ${[...messages][0]}${more}`, {
    errors: Object.fromEntries([...errors].map(([path, messages]) => [path, [...messages]])),
  });
}

const pathIn = (root: Root, path: string) =>
  [...prefixes(root, path), path].filter(Boolean).join(".").slice(0, 200) || root;

function prefixes(root: Root, path: string): string[] {
  if (root === "body") return [];
  if (root !== "character") return [root];
  return /^(images|trigger_word)(\.|$)/.test(path) ? [] : ["parameters"];
}

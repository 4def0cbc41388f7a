import { AppError } from "../../errors";

export const MAX_ISSUES = 20;

export type Issues = (readonly [path: string, message: string])[];

/** Where an input stands in a request's body: under `input`, as the body itself, or spread over a character's fields. */
export type Root = "input" | "body" | "character";

/** Throws 400 `invalid_input` with these faults, at least one. `root` is where their places stand in the request's body. */
export function rejectInput(root: Root, faults: Issues): never {
  const errors = new Map<string, Set<string>>();
  for (const [inner, message] of faults) {
    const path = pathIn(root, inner);
    if (errors.size === MAX_ISSUES && !errors.has(path)) continue;
    errors.set(path, (errors.get(path) ?? new Set()).add(message));
  }
  const [[path, messages]] = [...errors] as [[string, Set<string>]];
  const more = errors.size > 1 ? ` (and ${errors.size - 1} more in errors)` : "";
  throw new AppError("invalid_input", `${path}: ${[...messages][0]}${more}`, {
    errors: Object.fromEntries([...errors].map(([at, messages]) => [at, [...messages]])),
  });
}

const pathIn = (root: Root, path: string) =>
  [...prefixes(root, path), path].filter(Boolean).join(".").slice(0, 200) || root;

function prefixes(root: Root, path: string): string[] {
  if (root === "input") return ["input"];
  return root === "body" || /^(images|trigger_word)(\.|$)/.test(path) ? [] : ["parameters"];
}

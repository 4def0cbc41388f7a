import { AppError } from "../../errors";

export const MAX_ISSUES = 20;

export type Issues = (readonly [place: string, message: string])[];

/** Where an input stands in a request's body: under `input`, as the body itself, or spread over a character's fields. */
export type Root = "input" | "body" | "character";

/** Throws 400 `invalid_input` with these faults, at least one. `root` is where their places stand in the request's body. */
export function rejectInput(root: Root, faults: Issues): never {
  const errors = new Map<string, Set<string>>();
  for (const [inner, message] of faults) {
    const place = placeIn(root, inner);
    if (errors.size === MAX_ISSUES && !errors.has(place)) continue;
    errors.set(place, (errors.get(place) ?? new Set()).add(message));
  }
  const [[place, messages]] = [...errors] as [[string, Set<string>]];
  const more = errors.size > 1 ? ` (and ${errors.size - 1} more in errors)` : "";
  throw new AppError("invalid_input", `${place}: ${[...messages][0]}${more}`, {
    errors: Object.fromEntries([...errors].map(([at, messages]) => [at, [...messages]])),
  });
}

const placeIn = (root: Root, place: string) =>
  [...prefixes(root, place), place].filter(Boolean).join(".").slice(0, 200) || root;

function prefixes(root: Root, place: string): string[] {
  if (root === "input") return ["input"];
  return root === "body" || /^(images|trigger_word)(\.|$)/.test(place) ? [] : ["parameters"];
}

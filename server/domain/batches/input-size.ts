import { rejectInput } from "../model-inputs";

/** What one input of a batch may hold: as much as a request for one generation. */
const MAX_CHARACTERS = 1024 * 1024;
const MAX_VALUES = 20_000;

/** Throws 400 for an input that is larger than one generation allows. `root` is its location. */
export function checkInputSize(input: Record<string, unknown>, root: `inputs.${number}`): void {
  let characters = 0;
  let values = 0;
  const open: unknown[] = [input];
  while (open.length > 0 && characters <= MAX_CHARACTERS && values <= MAX_VALUES) {
    const value = open.pop();
    values += 1;
    if (typeof value === "string") characters += value.length;
    if (typeof value !== "object" || value === null) continue;
    for (const [name, inner] of Object.entries(value)) {
      if (!Array.isArray(value)) characters += name.length;
      open.push(inner);
    }
  }
  if (characters > MAX_CHARACTERS) rejectInput(root, [["", "must be at most 1 MiB"]]);
  if (values > MAX_VALUES) rejectInput(root, [["", `must hold at most ${MAX_VALUES} values`]]);
}

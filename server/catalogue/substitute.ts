import type { Variables } from "../catalogue-variables";
import { isProviderVariable, isSetting } from "../env";

const VARIABLE = /\$\{([A-Za-z_]\w*)(?::-([^{}]*))?\}/g;

/** A text that is exactly one variable without a default. */
export const LONE_VARIABLE = /^\$\{([A-Za-z_]\w*)\}$/;

/** Returns the issue of a text that names a variable that a catalogue may not read; otherwise undefined. */
export function findForbiddenVariable(text: string, variables: Variables): string | undefined {
  for (const [, name] of text.matchAll(VARIABLE)) {
    const issue = describeForbidden(name!, variables);
    if (issue) return issue;
  }
  return undefined;
}

/** Returns the names of the variables of a text. */
export const listVariables = (text: string): string[] => [...text.matchAll(VARIABLE)].map(([, name]) => name!);

/** Returns the variable that a text consists of; null if it is anything else. */
export const readLoneVariable = (text: string): string | null => LONE_VARIABLE.exec(text)?.[1] ?? null;

/** Returns why a catalogue may not read a variable, and the remedy; undefined if it may. */
export function describeForbidden(name: string, variables: Variables): string | undefined {
  if (isSetting(name)) return `names ${name}, a setting of the hub, which a catalogue may not read`;
  if (isProviderVariable(name) || Object.hasOwn(variables, name)) return undefined;
  return `names ${name}, which begins like no provider's variable: list it in CATALOGUE_VARIABLES in the hub's environment`;
}

/**
 * Replaces `${NAME}` and `${NAME:-default}` with variables, and returns the names of those that are not set and have no
 * default. An empty one counts as not set.
 */
export function substitute(text: string, variables: Variables): { value: string; missing: string[] } {
  const missing: string[] = [];
  const value = text.replaceAll(VARIABLE, (_, name: string, byDefault?: string) => {
    const found = (Object.hasOwn(variables, name) && variables[name]) || byDefault;
    if (found === undefined) missing.push(name);
    return found ?? "";
  });
  return { value, missing };
}

/** Environment variables that replace `${NAME}`, and `${NAME:-default}`, which has a default. */
export type Variables = Readonly<Record<string, string | undefined>>;

/**
 * Replaces `${NAME}` and `${NAME:-default}` with variables, and returns the names of those that are not set and have no
 * default. An empty one counts as not set.
 */
export function substitute(text: string, variables: Variables): { value: string; missing: string[] } {
  const missing: string[] = [];
  const value = text.replaceAll(/\$\{([A-Za-z_]\w*)(?::-([^{}]*))?\}/g, (_, name: string, byDefault?: string) => {
    const found = (Object.hasOwn(variables, name) && variables[name]) || byDefault;
    if (found === undefined) missing.push(name);
    return found ?? "";
  });
  return { value, missing };
}

/** Environment variables that replace `${NAME}`. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** Replaces `${NAME}` with variables, and returns the names of those that are not set. An empty one counts as not set. */
export function substitute(text: string, variables: Variables): { value: string; missing: string[] } {
  const missing: string[] = [];
  const value = text.replaceAll(/\$\{([A-Za-z_]\w*)\}/g, (_, name: string) => {
    const found = Object.hasOwn(variables, name) ? variables[name] : undefined;
    if (!found) missing.push(name);
    return found ?? "";
  });
  return { value, missing };
}

const names = ["max_tokens", "max_completion_tokens"] as const;

/**
 * The body with a limit of output tokens that the hold covers: the customer's own, never above `most`, which the model
 * would not pass anyway; where there is none, `max_tokens`.
 */
export function limitOutput(body: Record<string, unknown>, most: number): Record<string, unknown> {
  const limits = names.flatMap((name) => {
    const own = body[name];
    return typeof own === "number" ? [[name, Math.min(own, most)] as const] : [];
  });
  return { ...body, ...(limits.length > 0 ? Object.fromEntries(limits) : { max_tokens: most }) };
}

/** What every text model takes; the fields it does not name are forwarded (specification, section 4.5). */
export const chatInputSchema = {
  type: "object",
  required: ["messages"],
  properties: {
    messages: {
      type: "array",
      minItems: 1,
      maxItems: 10_000,
      items: { type: "object", required: ["role"], properties: { role: { type: "string", maxLength: 64 } } },
    },
    max_tokens: { type: "integer", minimum: 1 },
    max_completion_tokens: { type: "integer", minimum: 1 },
  },
};

const partSchema = { type: "object", required: ["type"], properties: { type: { type: "string", maxLength: 64 } } };

const tokenLimitSchema = { type: ["integer", "null"], minimum: 1 };

const messageSchema = {
  type: "object",
  required: ["role"],
  properties: {
    role: { type: "string", minLength: 1, maxLength: 64 },
    content: { type: ["string", "array", "null"], maxLength: 1_000_000_000, maxItems: 10_000, items: partSchema },
  },
};

/** The input schema of all text models; members that it does not name are forwarded (specification, section 4.5). */
export const chatInputSchema = {
  type: "object",
  required: ["messages"],
  properties: {
    messages: { type: "array", minItems: 1, maxItems: 10_000, items: messageSchema },
    max_tokens: tokenLimitSchema,
    max_completion_tokens: tokenLimitSchema,
  },
};

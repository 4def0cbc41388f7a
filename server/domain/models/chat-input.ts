const part = { type: "object", required: ["type"], properties: { type: { type: "string", maxLength: 64 } } };

const limit = { type: ["integer", "null"], minimum: 1 };

const message = {
  type: "object",
  required: ["role"],
  properties: {
    role: { type: "string", minLength: 1, maxLength: 64 },
    content: { type: ["string", "array", "null"], maxLength: 1_000_000_000, maxItems: 10_000, items: part },
  },
};

/** What every text model takes; the fields it does not name are forwarded (specification, section 4.5). */
export const chatInputSchema = {
  type: "object",
  required: ["messages"],
  properties: {
    messages: { type: "array", minItems: 1, maxItems: 10_000, items: message },
    max_tokens: limit,
    max_completion_tokens: limit,
  },
};

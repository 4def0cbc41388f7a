import { z } from "zod";

const Part = z
  .object({
    type: z.string(),
    text: z.string().optional().catch(undefined),
    image_url: z
      .union([z.string(), z.object({ url: z.string() }).transform(({ url }) => url)])
      .optional()
      .catch(undefined),
  })
  .catch({ type: "unknown" });

const Message = z.object({
  role: z.string(),
  name: z.string().optional().catch(undefined),
  content: z
    .union([z.string(), z.array(Part)])
    .nullish()
    .catch(null),
  tool_calls: z.array(z.unknown()).optional().catch(undefined),
});

const Tool = z.object({
  function: z.object({ name: z.string(), parameters: z.record(z.string(), z.unknown()).default({}).catch({}) }),
});

const Chat = z.object({
  messages: z.array(Message),
  tools: z.array(Tool).default([]).catch([]),
  tool_choice: z
    .union([z.string(), z.object({ function: z.object({ name: z.string() }) }).transform((choice) => choice.function)])
    .default("auto")
    .catch("auto"),
  response_format: z
    .object({ type: z.string(), json_schema: z.object({ schema: z.record(z.string(), z.unknown()) }).optional() })
    .optional()
    .catch(undefined),
  max_tokens: z.int().optional().catch(undefined),
  max_completion_tokens: z.int().optional().catch(undefined),
});

export type Message = z.output<typeof Message>;
export type Chat = z.output<typeof Chat> & { maxTokens: number };

/** Parses the parts of a chat request that the sandbox supports; ignores the rest. */
export function parseChat(body: Record<string, unknown>): Chat {
  const chat = Chat.parse(body);
  return { ...chat, maxTokens: chat.max_completion_tokens ?? chat.max_tokens ?? Infinity };
}

/** Returns the text of a message. */
export const getText = ({ content }: Message): string =>
  typeof content === "string" ? content : (content ?? []).map(({ text }) => text ?? "").join("\n");

/** Returns the image URLs of a message. */
export const getImages = ({ content }: Message): string[] =>
  Array.isArray(content) ? content.flatMap(({ image_url }) => (image_url === undefined ? [] : [image_url])) : [];

/** Returns the text of the user's last message. */
export const getLastUserText = ({ messages }: Chat): string => {
  const last = messages.findLast(({ role }) => role === "user");
  return last ? getText(last) : "";
};

import { z } from "zod";
import { type InitialChat, emptyTurn, type Turn } from "./turn";

const part = z.union([
  z.object({ type: z.literal("text"), text: z.string() }),
  z.object({ type: z.literal("image_url"), image_url: z.object({ url: z.string() }) }),
]);
const message = z.object({
  role: z.enum(["system", "user", "assistant"]),
  content: z.union([z.string(), z.array(part)]),
});
const chat = z.object({ messages: z.array(message), max_tokens: z.number().optional() });

/** Returns the chat of an earlier input; an empty one when the input uses features that this page lacks, such as tools. */
export function readChat(input: Record<string, unknown>): InitialChat {
  const { data } = chat.safeParse(input);
  if (!data) return { turns: [], draft: emptyTurn, settings: {} };
  const messages = data.messages.map(readMessage);
  const turns = messages.filter((one): one is Turn => one.role !== "system");
  const draft = turns.at(-1)?.role === "user" ? turns.pop()! : emptyTurn;
  const system = messages.find(({ role }) => role === "system")?.text;
  return { turns, draft, settings: { system, max_tokens: data.max_tokens } };
}

function readMessage({ role, content }: z.infer<typeof message>) {
  const parts = typeof content === "string" ? [{ type: "text" as const, text: content }] : content;
  return {
    role,
    text: parts.flatMap((one) => (one.type === "text" ? [one.text] : [])).join("\n"),
    images: parts.flatMap((one) => (one.type === "image_url" ? [one.image_url.url] : [])),
  };
}

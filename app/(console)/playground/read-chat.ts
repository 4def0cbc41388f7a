import { z } from "zod";
import { type Beginning, nothing, type Turn } from "./turn";

const part = z.union([
  z.object({ type: z.literal("text"), text: z.string() }),
  z.object({ type: z.literal("image_url"), image_url: z.object({ url: z.string() }) }),
]);
const message = z.object({
  role: z.enum(["system", "user", "assistant"]),
  content: z.union([z.string(), z.array(part)]),
});
const chat = z.object({ messages: z.array(message), max_tokens: z.number().optional() });

/** The chat that an earlier one's input tells of; empty when it holds what this page has no place for, such as tools. */
export function readChat(input: Record<string, unknown>): Beginning {
  const { data } = chat.safeParse(input);
  if (!data) return { turns: [], draft: nothing, settings: {} };
  const said = data.messages.map(readMessage);
  const turns = said.filter((one): one is Turn => one.role !== "system");
  const draft = turns.at(-1)?.role === "user" ? turns.pop()! : nothing;
  const system = said.find(({ role }) => role === "system")?.text;
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

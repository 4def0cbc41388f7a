interface Tool {
  function: { name: string };
}

export interface ChatBody extends Record<string, unknown> {
  model: string;
  messages: { role: string; content: unknown }[];
  max_tokens?: number;
  tools?: Tool[];
  response_format?: { type: string };
}

/** Returns the response of an OpenAI-compatible server: text, a call of the first tool, or JSON. Each word is a token. */
export function completionFor(body: ChatBody) {
  const last = body.messages.at(-1)!;
  const words = JSON.stringify(body.messages).split(/\s+/).length;
  return {
    id: "chatcmpl-upstream",
    object: "chat.completion",
    created: 1,
    model: `${body.model}-2026`,
    system_fingerprint: "fp_1",
    choices: [body.tools && last.role !== "tool" ? toolCallChoice(body.tools[0]!) : textChoice(answerTextFor(body))],
    usage: {
      prompt_tokens: words,
      completion_tokens: 7,
      total_tokens: words + 7,
      prompt_tokens_details: { cached_tokens: 1 },
    },
  };
}

function answerTextFor({ messages, response_format }: ChatBody): string {
  if (response_format) return JSON.stringify({ city: "Paris", degrees: 21 });
  const { content } = messages.at(-1)!;
  if (!Array.isArray(content)) return `You said: ${String(content)}`;
  const images = (content as { type: string; image_url?: { url: string } }[]).flatMap(
    ({ image_url }) => image_url?.url ?? [],
  );
  return `I see ${images.map((url) => url.slice(0, 22)).join(" and ")}`;
}

const textChoice = (content: string) => ({
  index: 0,
  message: { role: "assistant", content, refusal: null },
  logprobs: null,
  finish_reason: "stop",
});

const toolCallChoice = (tool: Tool) => ({
  index: 0,
  message: {
    role: "assistant",
    content: null,
    tool_calls: [
      { id: "call_1", type: "function", function: { name: tool.function.name, arguments: '{"city":"Paris"}' } },
    ],
  },
  finish_reason: "tool_calls",
});

/** The text model that every hub offers, in the form in which an operator's catalogue file lists its own. */
export const sandboxText = {
  id: "sandbox-text",
  name: "Sandbox text",
  description:
    "Answers chats by a fixed rule, with true token counts (o200k). Needs no key and no network, so that a client can be " +
    "built and tested against it. It calls a tool when the user's words speak of it or tool_choice asks for it, writes " +
    "JSON by response_format, and tells the size of pictures that come with the chat. [fail], [flaky], [slow:3] and " +
    "[hang] in the last message work as in sandbox-image. It costs real credit.",
  input_modalities: ["text", "image"],
  output_modalities: ["text"],
  timeout_seconds: 60,
  llm: {
    input_cost_per_million: 0.1,
    output_cost_per_million: 0.4,
    context_length: 128_000,
    max_output_tokens: 4_096,
  },
  supports: ["vision", "tools", "structured_output"],
  routes: [{ provider: "sandbox", upstream_model: "sandbox-text" }],
};

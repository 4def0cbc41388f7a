/** The sandbox's text model, in the format of an operator's catalogue file. */
export const sandboxText = {
  id: "sandbox-text",
  name: "Sandbox text",
  description:
    "Completes chats deterministically, with real token counts (o200k). Needs no key and no network, so you can build and " +
    "test a client against it. It calls a tool when the user's message mentions it or tool_choice requires it, writes " +
    "JSON by response_format, and describes the size of attached images. [fail], [flaky], [slow:3] and " +
    "[hang] in the last message work as in sandbox-image. Runs are charged to your balance.",
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

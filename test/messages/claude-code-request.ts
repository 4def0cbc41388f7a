const ephemeral = { type: "ephemeral" };

/** A request in the shape in which Claude Code 2.1.330 sends its second turn, with shorter texts. */
export const claudeCodeRequest = {
  model: "sandbox-text",
  max_tokens: 200,
  stream: true,
  system: [
    { type: "text", text: "x-anthropic-billing-header: cc_version=2.1.330; cc_entrypoint=sdk-cli" },
    { type: "text", text: "You are Claude Code.", cache_control: ephemeral },
    { type: "text", text: "Work in /tmp.", cache_control: ephemeral },
  ],
  messages: [
    {
      role: "user",
      content: [
        { type: "text", text: "<system-reminder>Today is Tuesday.</system-reminder>" },
        { type: "text", text: "Print the name of this machine." },
      ],
    },
    { role: "system", content: "The working directory is /tmp.", output_config: { effort: "medium" } },
    {
      role: "assistant",
      content: [
        { type: "thinking", thinking: "It wants uname.", signature: "hub.chat" },
        { type: "text", text: "I look." },
        { type: "tool_use", id: "toolu_1", name: "Bash", input: { command: "uname -n" } },
      ],
    },
    {
      role: "user",
      content: [
        {
          type: "tool_result",
          tool_use_id: "toolu_1",
          content: [{ type: "text", text: "lighthouse" }],
          is_error: false,
          cache_control: ephemeral,
        },
      ],
    },
    { role: "system", content: [{ type: "text", text: "Tokens left: 1000" }] },
  ],
  tools: [
    {
      name: "Bash",
      description: "Runs a command",
      input_schema: {
        $schema: "https://json-schema.org/draft/2020-12/schema",
        type: "object",
        properties: { command: { type: "string" }, timeout: { type: "number" } },
        required: ["command"],
        additionalProperties: false,
      },
      eager_input_streaming: true,
    },
    { name: "Deferred", input_schema: { type: "object", properties: {} }, defer_loading: true },
  ],
  thinking: { type: "adaptive", display: "omitted" },
  output_config: { effort: "high" },
  context_management: { edits: [{ type: "clear_thinking_20251015", keep: "all" }] },
  metadata: { user_id: '{"device_id":"d","account_uuid":"","session_id":"s"}' },
};

import type { Json } from "./open-responses";

const text = (value: string) => [{ type: "input_text", text: value }];

/** A first request in the shape in which Codex 0.169 sends it, with the tools of all of its models. */
export const codexRequest: Json = {
  model: "talk",
  input: [
    {
      type: "additional_tools",
      role: "developer",
      tools: [
        {
          type: "namespace",
          name: "functions",
          description: "Tools of the session",
          tools: [
            {
              type: "custom",
              name: "exec",
              description: "Runs",
              format: { type: "grammar", syntax: "lark", definition: "start: /.+/" },
            },
            { type: "function", name: "wait", parameters: { type: "object", properties: { ms: { type: "integer" } } } },
          ],
        },
      ],
    },
    { type: "message", role: "developer", content: text("You are Codex."), id: "msg_client_1" },
    { type: "message", role: "user", content: text("<environment_context/>") },
    { type: "message", role: "user", content: text("List the files.") },
  ],
  tools: [
    {
      type: "function",
      name: "exec_command",
      description: "Runs a command",
      strict: false,
      parameters: { type: "object", properties: { cmd: { type: "string" } }, required: ["cmd"] },
    },
    {
      type: "custom",
      name: "apply_patch",
      description: "Patches",
      format: { type: "grammar", syntax: "lark", definition: "start: patch" },
    },
    {
      type: "tool_search",
      execution: "client",
      description: "Finds tools",
      parameters: { type: "object", properties: {} },
    },
    { type: "namespace", name: "clock", tools: [{ type: "function", name: "now", parameters: {} }] },
    { type: "web_search", external_web_access: true },
  ],
  tool_choice: "auto",
  parallel_tool_calls: false,
  reasoning: { effort: "medium", summary: "auto", context: "all_turns" },
  store: false,
  stream: true,
  include: ["reasoning.encrypted_content"],
  prompt_cache_key: "019ab0c2-thread",
  text: { verbosity: "low" },
  client_metadata: { "x-codex-window-id": "0", session: "s", thread: "t" },
};

/** The request after the model has called its tools. */
export const codexFollowUp: Json = {
  ...codexRequest,
  input: [
    ...(codexRequest.input as Json[]),
    { type: "reasoning", summary: [], content: null, encrypted_content: "gAAAAA-of-somebody-else" },
    { type: "function_call", name: "exec_command", arguments: '{"cmd":"ls"}', call_id: "call_1" },
    {
      type: "custom_tool_call",
      status: "completed",
      name: "exec",
      namespace: "functions",
      input: "1",
      call_id: "call_2",
    },
    { type: "function_call_output", call_id: "call_1", output: "README.md", id: "fco_1" },
    { type: "custom_tool_call_output", call_id: "call_2", output: text("2") },
    { type: "web_search_call", id: "ws_1", status: "completed", action: { type: "search", query: "x" } },
    {
      type: "tool_search_call",
      call_id: "call_3",
      execution: "client",
      arguments: { query: "x" },
      status: "completed",
    },
    {
      type: "tool_search_output",
      call_id: "call_3",
      status: "completed",
      tools: [{ type: "function", name: "found", parameters: {} }],
    },
  ],
};

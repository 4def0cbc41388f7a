import type { Responder } from "../chat/upstream";
import { streamEvents } from "../openai/stream-upstream";
import type { Answer } from "../providers/anthropic/double";
import { callTool, FINAL_TEXT, inputFor, TOOL } from "./call-tool";

type Json = Record<string, unknown>;

/** A tool of Messages or of Responses, or a namespace of tools. */
interface NativeTool {
  name?: string;
  type?: string;
  input_schema?: { properties?: Json };
  parameters?: { properties?: Json };
  tools?: NativeTool[];
}

interface NativeBody {
  tools?: NativeTool[];
  input?: NativeTool[];
}

interface Call {
  name: string;
  input: Json;
  /** Whether the tool's input is a text. */
  isCustom: boolean;
}

/** Returns the call of a tool that a request offers, unless it has a result already. */
function findCall(text: string): Call | null {
  if (/"tool_result"|_call_output"/.test(text)) return null;
  const { tools = [], input = [] } = JSON.parse(text) as NativeBody;
  // Codex's newest models get their tools as an item of the input.
  const added = input.filter(({ type }) => type === "additional_tools").flatMap((item) => item.tools ?? []);
  const tool = [...tools, ...added.flatMap((space) => space.tools ?? [])].find(({ name = "" }) => TOOL.test(name));
  if (!tool) return null;
  const { properties = {} } = tool.input_schema ?? tool.parameters ?? {};
  return { name: tool.name!, input: inputFor(properties), isCustom: tool.type === "custom" };
}

/** Answers as a model at Anthropic that runs one command. */
export function answerWithTool(text: string): Answer {
  const call = findCall(text);
  if (!call) return { content: [{ type: "text", text: FINAL_TEXT }] };
  const { name, input } = call;
  return { content: [{ type: "tool_use", id: "toolu_up", name, input }], stop_reason: "tool_use" };
}

/** Responds as a model that runs one command, to `/v1/responses` in its own dialect. */
export const callToolNatively: Responder = (response, request) =>
  (request.path === "/v1/responses" ? streamResponse(request.text) : callTool)(response, request);

function streamResponse(text: string): Responder {
  const item = buildItem(findCall(text));
  const begun = { id: "resp_up", object: "response", status: "in_progress", model: "gpt-up-2026", output: [] };
  const details = { input_tokens_details: { cached_tokens: 0 }, output_tokens_details: { reasoning_tokens: 0 } };
  const usage = { input_tokens: 1_000, output_tokens: 20, total_tokens: 1_020, ...details };
  const events = [
    { type: "response.created", response: begun },
    { type: "response.in_progress", response: begun },
    ...item.events,
    { type: "response.output_item.done", output_index: 0, item: item.whole },
    { type: "response.completed", response: { ...begun, status: "completed", output: [item.whole], usage } },
  ].map((event, sequence_number) => ({ ...event, sequence_number }));
  return streamEvents(...events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`));
}

/** Returns an output item, and the events before its end. */
function buildItem(call: Call | null): { whole: Json; events: ({ type: string } & Json)[] } {
  const added = (item: Json) => ({ type: "response.output_item.added", output_index: 0, item });
  if (call?.isCustom) {
    const begun = {
      id: "ctc_up",
      type: "custom_tool_call",
      call_id: "call_up",
      namespace: "functions",
      name: call.name,
    };
    const [at, input] = [{ item_id: begun.id, output_index: 0 }, String(call.input.input)];
    const events = [
      added({ ...begun, input: "", status: "in_progress" }),
      { type: "response.custom_tool_call_input.delta", ...at, delta: input },
      { type: "response.custom_tool_call_input.done", ...at, input },
    ];
    return { whole: { ...begun, input, status: "completed" }, events };
  }
  if (call) {
    const begun = { id: "fc_up", type: "function_call", call_id: "call_up", name: call.name };
    const [at, input] = [{ item_id: begun.id, output_index: 0 }, JSON.stringify(call.input)];
    const events = [
      added({ ...begun, arguments: "", status: "in_progress" }),
      { type: "response.function_call_arguments.delta", ...at, delta: input },
      { type: "response.function_call_arguments.done", ...at, arguments: input },
    ];
    return { whole: { ...begun, arguments: input, status: "completed" }, events };
  }
  const begun = { id: "msg_up", type: "message", role: "assistant" };
  const part = { type: "output_text", text: FINAL_TEXT, annotations: [] };
  const at = { item_id: begun.id, output_index: 0, content_index: 0 };
  const events = [
    added({ ...begun, content: [], status: "in_progress" }),
    { type: "response.content_part.added", ...at, part: { ...part, text: "" } },
    { type: "response.output_text.delta", ...at, delta: FINAL_TEXT },
    { type: "response.output_text.done", ...at, text: FINAL_TEXT },
    { type: "response.content_part.done", ...at, part },
  ];
  return { whole: { ...begun, content: [part], status: "completed" }, events };
}

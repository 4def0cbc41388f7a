import { type Responder, respondWith } from "../chat/upstream";
import { DONE, streamEvents, textChunk, usageOf } from "../openai/stream-upstream";

interface Tool {
  function: { name: string; parameters?: { properties?: Record<string, unknown> } };
}

/** The tools by which agents run a command, also with a prefix, and the tool of our own programs. */
export const TOOL = /(^|_)(bash|exec_command|exec|weather)$/i;
const USAGE = usageOf(1_000, 20);
/** What each response costs with the prices of our models, in nano-euros. */
export const CALL_COST = 1_000 * 1_000 + 20 * 2_000;

const COMMAND = "echo lighthouse";

/** What the model says after the tool has responded. */
export const FINAL_TEXT = "It printed lighthouse.";

/** Responds to a chat as a model that runs one command: with a tool call, and after its result with a text. */
export const callTool: Responder = (response, request) => {
  const { messages, stream } = request.body;
  const tools = (request.body.tools ?? []) as Tool[];
  const tool = tools.find((each) => TOOL.test(each.function.name));
  const hasResult = messages.some(({ role }) => role === "tool");
  const [message, reason] =
    tool && !hasResult ? [toolMessage(tool), "tool_calls"] : [{ role: "assistant", content: FINAL_TEXT }, "stop"];
  const respond = stream ? streamMessage(message, reason) : completeMessage(message, reason);
  respond(response, request);
};

/** Responds with a word, and then resets the connection. */
export const breakAfterText: Responder = (response) => {
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.write(`data: ${JSON.stringify(textChunk("It"))}\n\n`, () => response.socket!.resetAndDestroy());
};

function toolMessage({ function: { name, parameters } }: Tool) {
  const call = { name, arguments: JSON.stringify(inputFor(parameters?.properties ?? {})) };
  return {
    role: "assistant",
    content: null,
    tool_calls: [{ index: 0, id: "call_up", type: "function", function: call }],
  };
}

/** Returns the input of a tool, by the parameters that it has. */
export function inputFor(properties: Record<string, unknown>): Record<string, string> {
  if ("command" in properties) return { command: COMMAND, description: "Prints a word" };
  if ("cmd" in properties) return { cmd: COMMAND };
  if ("city" in properties) return { city: "Berlin" };
  // The tool of Codex's newest models is a program in JavaScript.
  return { input: `text(await tools.exec_command({ cmd: "${COMMAND}" }))` };
}

const streamMessage = (message: object, reason: string): Responder =>
  streamEvents(
    { ...textChunk(""), choices: [{ index: 0, delta: message, finish_reason: null }] },
    textChunk("", reason),
    { ...textChunk(""), choices: [], usage: USAGE },
    DONE,
  );

const completeMessage = (message: object, reason: string): Responder =>
  respondWith(200, {
    id: "chatcmpl-up",
    object: "chat.completion",
    created: 1,
    model: "gpt-up-2026",
    choices: [{ index: 0, message, finish_reason: reason }],
    usage: USAGE,
  });

// Runs one tool call to the end with Anthropic's SDK, as its default version of the API has it.
import Anthropic from "@anthropic-ai/sdk";

const { HUB_URL, HUB_API_KEY, MODEL } = process.env;
const client = new Anthropic({ baseURL: HUB_URL, apiKey: HUB_API_KEY });
const tools = [
  {
    name: "weather",
    description: "Returns the weather of a city",
    input_schema: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
  },
];
const messages = [{ role: "user", content: "What is the weather in Berlin?" }];
const ask = () => client.messages.stream({ model: MODEL, max_tokens: 1_000, messages, tools }).finalMessage();

const first = await ask();
const call = first.content.find(({ type }) => type === "tool_use");
messages.push(
  { role: "assistant", content: first.content },
  { role: "user", content: [{ type: "tool_result", tool_use_id: call.id, content: "21 degrees" }] },
);
const last = await ask();
console.log(first.stop_reason, JSON.stringify(call.input), last.content[0].text, last.stop_reason);

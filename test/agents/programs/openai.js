// Runs one tool call to the end with OpenAI's SDK over Responses, the second request from the stored first one.
import OpenAI from "openai";

const { HUB_URL, HUB_API_KEY, MODEL } = process.env;
const client = new OpenAI({ baseURL: `${HUB_URL}/v1`, apiKey: HUB_API_KEY });
const tools = [
  {
    type: "function",
    name: "weather",
    description: "Returns the weather of a city",
    parameters: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
    strict: false,
  },
];
const ask = (input, more) => client.responses.stream({ model: MODEL, input, tools, ...more }).finalResponse();

const first = await ask("What is the weather in Berlin?");
const call = first.output.find(({ type }) => type === "function_call");
const last = await ask([{ type: "function_call_output", call_id: call.call_id, output: "21 degrees" }], {
  previous_response_id: first.id,
});
console.log(call.arguments, last.output_text, last.status);

// Runs one tool call to the end with the AI SDK's provider for Anthropic or for OpenAI.
import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAI } from "@ai-sdk/openai";
import { jsonSchema, stepCountIs, streamText, tool } from "ai";

const { HUB_URL, HUB_API_KEY, MODEL } = process.env;
const create = process.argv[2] === "anthropic" ? createAnthropic : createOpenAI;
const hub = create({ baseURL: `${HUB_URL}/v1`, apiKey: HUB_API_KEY });
const schema = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
const { text, steps } = streamText({
  model: hub(MODEL),
  prompt: "What is the weather in Berlin?",
  maxOutputTokens: 1_000,
  stopWhen: stepCountIs(3),
  tools: {
    weather: tool({
      description: "Returns the weather of a city",
      inputSchema: jsonSchema(schema),
      execute: () => "21 degrees",
    }),
  },
});
console.log(await text, (await steps).length);

import type { Guide } from "./guide";

/** Not dependencies of the hub, although the snippets import them. */
const LANGCHAIN = "@langchain/openai";
const ANTHROPIC = "@anthropic-ai/sdk";
const AI_SDK_ANTHROPIC = "@ai-sdk/anthropic";
const AI_SDK_OPENAI = "@ai-sdk/openai";

const langChain: Guide = {
  id: "langchain",
  name: "LangChain",
  summary: "LangChain's class for OpenAI works with the hub, with streaming, tools and structured output.",
  write: ({ base }) => [
    {
      text: "Python (`pip install langchain-openai`), with the key in the variable `HUB_API_KEY`:",
      snippet: {
        language: "python",
        title: "Python",
        code: `import os

from langchain_openai import ChatOpenAI

model = ChatOpenAI(
    base_url="${base}/v1",
    api_key=os.environ["HUB_API_KEY"],
    model="sandbox-text",
    stream_usage=True,
)
for chunk in model.stream("What does a lighthouse see?"):
    print(chunk.content, chunk.usage_metadata or "", end="")`,
      },
    },
    {
      text: "TypeScript (`npm install @langchain/openai @langchain/core`):",
      snippet: {
        language: "ts",
        title: "TypeScript",
        code: `import { ChatOpenAI } from "${LANGCHAIN}";

const { HUB_API_KEY } = process.env;
const model = new ChatOpenAI({
  model: "sandbox-text",
  apiKey: HUB_API_KEY,
  configuration: { baseURL: "${base}/v1" },
});
for await (const chunk of await model.stream("What does a lighthouse see?"))
  process.stdout.write(\`\${chunk.text}\${chunk.usage_metadata ? JSON.stringify(chunk.usage_metadata) : ""}\`);`,
      },
    },
  ],
};

const aiSdk: Guide = {
  id: "ai-sdk",
  name: "AI SDK",
  summary: "The AI SDK streams the hub's text models and draws with its image models.",
  write: ({ base }) => [
    {
      text: "Install `ai` and `@ai-sdk/openai-compatible`, and set the variable `HUB_API_KEY`:",
      snippet: {
        language: "ts",
        title: "TypeScript",
        code: `import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { generateImage, streamText } from "ai";

const { HUB_API_KEY } = process.env;
const hub = createOpenAICompatible({ name: "hub", baseURL: "${base}/v1", apiKey: HUB_API_KEY });

const { textStream } = streamText({ model: hub("sandbox-text"), prompt: "What does a lighthouse see?" });
for await (const text of textStream) process.stdout.write(text);

const { image } = await generateImage({ model: hub.imageModel("sandbox-image"), prompt: "a lighthouse at dawn" });
console.log(image.mediaType, image.uint8Array.length);`,
      },
    },
    {
      text: "The AI SDK's own providers for Anthropic and OpenAI work too, over the Messages and the Responses API. Install `@ai-sdk/anthropic` and `@ai-sdk/openai`:",
      snippet: {
        language: "ts",
        title: "TypeScript, Anthropic's and OpenAI's providers",
        code: `import { createAnthropic } from "${AI_SDK_ANTHROPIC}";
import { createOpenAI } from "${AI_SDK_OPENAI}";
import { generateText } from "ai";

const { HUB_API_KEY } = process.env;
const hub = { baseURL: "${base}/v1", apiKey: HUB_API_KEY };
const anthropic = createAnthropic(hub);
const openai = createOpenAI(hub);

const prompt = "What does a lighthouse see?";
for (const model of [anthropic("sandbox-text"), openai("sandbox-text")])
  console.log((await generateText({ model, prompt, maxOutputTokens: 1_000 })).text);`,
      },
    },
    {
      text: "The provider of the hub's own client, `@generation-hub/client/ai-sdk`, also has every parameter of every model and repeats a failed request without a second charge.",
    },
  ],
};

const openAi: Guide = {
  id: "openai",
  name: "OpenAI SDKs",
  summary: "Programs that use OpenAI's SDKs need another base URL and another key.",
  write: ({ base }) => [
    {
      text: "TypeScript (`npm install openai`), with the key in the variable `HUB_API_KEY`:",
      snippet: {
        language: "ts",
        title: "TypeScript",
        code: `import OpenAI from "openai";

const { HUB_API_KEY } = process.env;
const client = new OpenAI({ baseURL: "${base}/v1", apiKey: HUB_API_KEY });

const stream = await client.chat.completions.create({
  model: "sandbox-text",
  messages: [{ role: "user", content: "What does a lighthouse see?" }],
  stream: true,
});
for await (const chunk of stream) process.stdout.write(chunk.choices[0].delta.content ?? "");

const { output_text } = await client.responses.create({ model: "sandbox-text", input: "What does a lighthouse see?" });
console.log(output_text);`,
      },
    },
    {
      text: "Python (`pip install openai`):",
      snippet: {
        language: "python",
        title: "Python",
        code: `import os

from openai import OpenAI

client = OpenAI(base_url="${base}/v1", api_key=os.environ["HUB_API_KEY"])

stream = client.chat.completions.create(
    model="sandbox-text",
    messages=[{"role": "user", "content": "What does a lighthouse see?"}],
    stream=True,
)
for chunk in stream:
    print(chunk.choices[0].delta.content or "", end="")

response = client.responses.create(model="sandbox-text", input="What does a lighthouse see?")
print(response.output_text)`,
      },
    },
  ],
};

const anthropic: Guide = {
  id: "anthropic",
  name: "Anthropic SDKs",
  summary: "Programs that use Anthropic's SDKs need another base URL, without /v1, and another key.",
  write: ({ base }) => [
    {
      text: "TypeScript (`npm install @anthropic-ai/sdk`), with the key in the variable `HUB_API_KEY`:",
      snippet: {
        language: "ts",
        title: "TypeScript",
        code: `import Anthropic from "${ANTHROPIC}";

const { HUB_API_KEY } = process.env;
const client = new Anthropic({ baseURL: "${base}", apiKey: HUB_API_KEY });

const stream = client.messages.stream({
  model: "sandbox-text",
  max_tokens: 1_000,
  messages: [{ role: "user", content: "What does a lighthouse see?" }],
});
stream.on("text", (text) => process.stdout.write(text));
console.log((await stream.finalMessage()).usage);`,
      },
    },
    {
      text: "Python (`pip install anthropic`):",
      snippet: {
        language: "python",
        title: "Python",
        code: `import os

from anthropic import Anthropic

client = Anthropic(base_url="${base}", api_key=os.environ["HUB_API_KEY"])

with client.messages.stream(
    model="sandbox-text",
    max_tokens=1_000,
    messages=[{"role": "user", "content": "What does a lighthouse see?"}],
) as stream:
    for text in stream.text_stream:
        print(text, end="")`,
      },
    },
  ],
};

/** Libraries for your own programs. */
export const libraryGuides: Guide[] = [openAi, anthropic, aiSdk, langChain];

import type { Guide } from "./guide";

/** No dependency of ours, although the snippet imports it. */
const LANGCHAIN = "@langchain/openai";

const openWebUi: Guide = {
  id: "open-webui",
  name: "Open WebUI",
  summary: "Open WebUI chats with the hub's text models and draws with its image models.",
  write: ({ base, key }) => [
    {
      text: "In Admin Panel → Settings → Connections, add an OpenAI API connection. The address must be the hub's as Open WebUI's server sees it: from a container, `localhost` is `host.docker.internal`.",
      settings: [
        { name: "URL", value: `${base}/v1` },
        { name: "Key", value: key },
      ],
    },
    {
      text: "Or set it before the first start, with pictures:",
      snippet: {
        language: "yaml",
        title: "compose.yaml",
        code: `services:
  open-webui:
    image: ghcr.io/open-webui/open-webui:main
    ports: ["8080:8080"]
    extra_hosts: ["host.docker.internal:host-gateway"]
    environment:
      OPENAI_API_BASE_URL: ${base}/v1
      OPENAI_API_KEY: ${key}
      ENABLE_OLLAMA_API: "false"
      ENABLE_IMAGE_GENERATION: "true"
      IMAGE_GENERATION_ENGINE: openai
      IMAGES_OPENAI_API_BASE_URL: ${base}/v1
      IMAGES_OPENAI_API_KEY: ${key}
      IMAGE_GENERATION_MODEL: sandbox-image`,
      },
    },
  ],
};

const n8n: Guide = {
  id: "n8n",
  name: "n8n",
  summary: "n8n's OpenAI nodes run the hub's models, and its agents use the hub's tools through MCP.",
  write: ({ base, key }) => [
    {
      text: "Create a credential OpenAI, and choose it in OpenAI Chat Model, OpenAI and Embeddings OpenAI. Turn Use Responses API off.",
      settings: [
        { name: "API Key", value: key },
        { name: "Base URL", value: `${base}/v1` },
      ],
    },
    {
      text: "For agents, connect an MCP Client Tool, with a credential Bearer Auth.",
      settings: [
        { name: "Endpoint", value: `${base}/mcp` },
        { name: "Server Transport", value: "HTTP Streamable" },
        { name: "Bearer Token", value: key },
      ],
    },
  ],
};

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
for await (const chunk of stream) process.stdout.write(chunk.choices[0].delta.content ?? "");`,
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
    print(chunk.choices[0].delta.content or "", end="")`,
      },
    },
  ],
};

/** Programs that know OpenAI's API. */
export const openAiGuides: Guide[] = [openWebUi, n8n, langChain, aiSdk, openAi];

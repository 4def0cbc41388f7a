import type { Guide } from "./guide";

/** Returns the URL by which a container reaches the hub on its machine. */
const fromContainer = (base: string): string =>
  base.replace(/^(https?:\/\/)(localhost|127\.0\.0\.1)\b/, "$1host.docker.internal");

const openWebUi: Guide = {
  id: "open-webui",
  name: "Open WebUI",
  summary: "Open WebUI chats with the hub's text models and draws with its image models.",
  write: ({ base, key }) => [
    {
      text: "In Admin Panel → Settings → Connections, add an OpenAI API connection. The URL must be the hub's as Open WebUI's server reaches it: from a container, `localhost` is `host.docker.internal`.",
      settings: [
        { name: "URL", value: `${base}/v1` },
        { name: "Key", value: key },
      ],
    },
    {
      text: "Or configure chats and images before the first start:",
      snippet: {
        language: "yaml",
        title: "compose.yaml",
        code: `services:
  open-webui:
    image: ghcr.io/open-webui/open-webui:main
    ports: ["8080:8080"]
    extra_hosts: ["host.docker.internal:host-gateway"]
    environment:
      OPENAI_API_BASE_URL: ${fromContainer(base)}/v1
      OPENAI_API_KEY: ${key}
      ENABLE_OLLAMA_API: "false"
      ENABLE_IMAGE_GENERATION: "true"
      IMAGE_GENERATION_ENGINE: openai
      IMAGES_OPENAI_API_BASE_URL: ${fromContainer(base)}/v1
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
      text: "Create an OpenAI credential, and select it in the nodes OpenAI Chat Model, OpenAI and Embeddings OpenAI. Turn off Use Responses API.",
      settings: [
        { name: "API Key", value: key },
        { name: "Base URL", value: `${base}/v1` },
      ],
    },
    {
      text: "For agents, connect an MCP Client Tool, with a Bearer Auth credential.",
      settings: [
        { name: "Endpoint", value: `${base}/mcp` },
        { name: "Server Transport", value: "HTTP Streamable" },
        { name: "Bearer Token", value: key },
      ],
    },
  ],
};

/** Programs with their own pages, which know OpenAI's API. */
export const openAiGuides: Guide[] = [openWebUi, n8n];

import { formatJson, type Guide, type Step, type Values } from "./guide";

const NAME = "generation-hub";

/** How Claude Code uses the hub's tools. */
export const addToClaudeCode = ({ base, key }: Values): Step[] => [
  {
    text: "Claude Code can also run the hub's image, audio and video models, through MCP. Add the hub for all your projects:",
    snippet: {
      language: "sh",
      title: "Terminal, MCP",
      code: `claude mcp add --transport http --scope user ${NAME} "${base}/mcp" --header "Authorization: Bearer ${key}"`,
    },
  },
  {
    text: "Or share it with everyone who works on a project. Claude Code reads the key from the variable `HUB_API_KEY`:",
    snippet: {
      language: "json",
      title: ".mcp.json",
      code: formatJson({
        mcpServers: {
          [NAME]: { type: "http", url: `${base}/mcp`, headers: { Authorization: "Bearer ${HUB_API_KEY}" } },
        },
      }),
    },
  },
  { text: "In Claude Code, `/mcp` shows the connection. Then ask for a picture." },
];

const cursorServer = ({ base }: Values, key: string) => ({
  url: `${base}/mcp`,
  headers: { Authorization: `Bearer ${key}` },
});

const cursor: Guide = {
  id: "cursor",
  name: "Cursor",
  summary: "Cursor's agent runs the hub's models, through MCP.",
  write: (values) => [
    {
      text: "Add the hub to the file of all projects, or to `.cursor/mcp.json` of one:",
      snippet: {
        language: "json",
        title: "~/.cursor/mcp.json",
        code: formatJson({ mcpServers: { [NAME]: cursorServer(values, values.key) } }),
      },
    },
    {
      text: "Or install it with a link. Cursor then reads the key from the variable `HUB_API_KEY` of the system:",
      link: {
        label: "Add to Cursor",
        href: `cursor://anysphere.cursor-deeplink/mcp/install?name=${NAME}&config=${encodeURIComponent(
          btoa(JSON.stringify(cursorServer(values, "${env:HUB_API_KEY}"))),
        )}`,
      },
    },
  ],
};

const vsCodeInput = { type: "promptString", id: "hub-api-key", description: "Generation Hub API key", password: true };

const vsCodeServer = ({ base }: Values) => ({
  type: "http",
  url: `${base}/mcp`,
  headers: { Authorization: "Bearer ${input:hub-api-key}" },
});

const vsCode: Guide = {
  id: "vs-code",
  name: "VS Code",
  summary: "Agents of GitHub Copilot Chat run the hub's models, through MCP.",
  write: (values) => [
    {
      text: "Install the hub with a link. VS Code asks for the key when it starts the server, and stores it encrypted:",
      link: {
        label: "Install in VS Code",
        href: `vscode:mcp/install?${encodeURIComponent(
          JSON.stringify({ name: NAME, ...vsCodeServer(values), inputs: [vsCodeInput] }),
        )}`,
      },
    },
    {
      text: "Or add it to a project, for everyone who works on it:",
      snippet: {
        language: "json",
        title: ".vscode/mcp.json",
        code: formatJson({ inputs: [vsCodeInput], servers: { [NAME]: vsCodeServer(values) } }),
      },
    },
  ],
};

const claudeDesktop: Guide = {
  id: "claude-desktop",
  name: "Claude Desktop",
  summary: "Claude Desktop and claude.ai run the hub's models, through MCP. They sign in by OAuth and need no key.",
  write: ({ base }) => [
    {
      text: "In Settings → Connectors, choose Add custom connector. Claude connects from Anthropic's servers, so the hub must have a public https URL:",
      settings: [
        { name: "Name", value: "Generation Hub" },
        { name: "Remote MCP server URL", value: `${base}/mcp` },
      ],
    },
    {
      text: "Choose Connect. The hub asks you to sign in, and how much the connection may spend. It ends after seven days, or when you end it.",
    },
  ],
};

/** Programs whose agents use the hub's tools. */
export const mcpGuides: Guide[] = [cursor, vsCode, claudeDesktop];

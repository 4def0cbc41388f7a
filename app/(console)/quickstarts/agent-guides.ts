import { formatJson, type Guide, type Values } from "./guide";
import { addToClaudeCode } from "./mcp-guides";

const MODEL = "sandbox-text";
const CONTEXT_LENGTH = 128_000;

/** The variables of Claude Code, with the key in the one that it authenticates with. */
const claudeCodeVariables = (base: string, credential: Record<string, string>) => ({
  ANTHROPIC_BASE_URL: base,
  ...credential,
  ANTHROPIC_MODEL: MODEL,
  CLAUDE_CODE_DISABLE_EXPERIMENTAL_BETAS: "1",
  CLAUDE_CODE_MAX_CONTEXT_TOKENS: String(CONTEXT_LENGTH),
});

const exportVariables = (variables: Record<string, string>): string =>
  Object.entries(variables)
    .map(([name, value]) => `export ${name}="${value}"`)
    .join("\n");

const claudeCode: Guide = {
  id: "claude-code",
  name: "Claude Code",
  summary: "Claude Code works with the hub's text models, and runs its other models through MCP.",
  write: (values) => [
    {
      text: "Start Claude Code with the hub's URL, without `/v1`, and a model that supports tools:",
      snippet: {
        language: "sh",
        title: "Terminal",
        code: `${exportVariables(claudeCodeVariables(values.base, { ANTHROPIC_AUTH_TOKEN: values.key }))}\nclaude`,
      },
    },
    {
      text: "Or set this for all your projects. With `ANTHROPIC_API_KEY` in place of `ANTHROPIC_AUTH_TOKEN`, Claude Code asks once whether to use the key:",
      snippet: {
        language: "json",
        title: "~/.claude/settings.json",
        code: formatJson({ env: claudeCodeVariables(values.base, { ANTHROPIC_API_KEY: values.key }) }),
      },
    },
    {
      text: "`CLAUDE_CODE_DISABLE_EXPERIMENTAL_BETAS` is for models that are not Anthropic's: remove it for those, which support the betas. `CLAUDE_CODE_MAX_CONTEXT_TOKENS` is the context length of a model whose name Claude Code does not know, for which it otherwise assumes a million tokens.",
    },
    ...addToClaudeCode(values),
  ],
};

const codexFile = ({ base }: Values) => `model = "${MODEL}"
model_context_window = ${CONTEXT_LENGTH}
model_provider = "generation-hub"

[model_providers.generation-hub]
name = "Generation Hub"
base_url = "${base}/v1"
env_key = "HUB_API_KEY"
wire_api = "responses"`;

const codex: Guide = {
  id: "codex",
  name: "Codex",
  summary: "Codex works with the hub's text models over the Responses API.",
  write: (values) => [
    {
      text: "Add the hub as a provider. Codex reads the key from the variable `HUB_API_KEY`:",
      snippet: { language: "toml", title: "~/.codex/config.toml", code: codexFile(values) },
    },
    {
      text: "Set the key and start Codex:",
      snippet: { language: "sh", title: "Terminal", code: `export HUB_API_KEY="${values.key}"\ncodex` },
    },
    {
      text: "Or keep Codex's built-in provider and change only its URL. Codex first asks for a WebSocket, and continues over HTTP when the hub declines:",
      snippet: {
        language: "toml",
        title: "~/.codex/config.toml, built-in provider",
        code: `model = "${MODEL}"\nmodel_context_window = ${CONTEXT_LENGTH}\nopenai_base_url = "${values.base}/v1"`,
      },
    },
    {
      text: "The built-in provider signs in with a key that you give it once:",
      snippet: {
        language: "sh",
        title: "Terminal, built-in provider",
        code: `printf '%s' "${values.key}" | codex login --with-api-key\ncodex`,
      },
    },
  ],
};

const openCode: Guide = {
  id: "opencode",
  name: "OpenCode",
  summary: "OpenCode works with the hub's text models, and writes titles with a model of your choice.",
  write: ({ base, key }) => [
    {
      text: "Add the hub to a project's file, or to `~/.config/opencode/opencode.json` for all. OpenCode reads the key from the variable `HUB_API_KEY`; `small_model` writes the titles:",
      snippet: {
        language: "json",
        title: "opencode.json",
        code: formatJson({
          $schema: "https://opencode.ai/config.json",
          model: `generation-hub/${MODEL}`,
          small_model: `generation-hub/${MODEL}`,
          provider: {
            "generation-hub": {
              npm: "@ai-sdk/openai-compatible",
              name: "Generation Hub",
              options: { baseURL: `${base}/v1`, apiKey: "{env:HUB_API_KEY}" },
              models: { [MODEL]: { limit: { context: CONTEXT_LENGTH, output: 4_096 } } },
            },
          },
        }),
      },
    },
    {
      text: "Set the key and start OpenCode:",
      snippet: { language: "sh", title: "Terminal", code: `export HUB_API_KEY="${key}"\nopencode` },
    },
    {
      text: "For Anthropic's models, write `@ai-sdk/anthropic` as `npm`, and for OpenAI's `@ai-sdk/openai`: OpenCode then uses the Messages or the Responses API, with their caches.",
    },
  ],
};

const cline: Guide = {
  id: "cline",
  name: "Cline",
  summary: "Cline works with the hub's text models.",
  write: ({ base, key }) => [
    {
      text: "In Cline's settings, under API Configuration:",
      settings: [
        { name: "API Provider", value: "OpenAI Compatible" },
        { name: "Base URL", value: `${base}/v1` },
        { name: "OpenAI Compatible API Key", value: key },
        { name: "Model ID", value: MODEL },
      ],
    },
    {
      text: "For Anthropic's models, use the Messages API, with their cache. Choose Use custom base URL, without `/v1`:",
      settings: [
        { name: "API Provider", value: "Anthropic" },
        { name: "Anthropic API Key", value: key },
        { name: "Custom base URL", value: base },
      ],
    },
  ],
};

/** Agents that write programs with the hub's text models. */
export const agentGuides: Guide[] = [claudeCode, codex, openCode, cline];

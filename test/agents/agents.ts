import path from "node:path";
import type { Guide } from "../../app/(console)/quickstarts/guide";
import { guides } from "../../app/(console)/quickstarts/guides";

/** Who runs an agent, and where. */
export interface Run {
  url: string;
  key: string;
  /** Replaces the model of the quick start. */
  model: string;
  prompt: string;
}

type Env = Record<string, string>;

/** An agent, set up as its quick start says. */
export interface Agent {
  name: string;
  /** The file that npm installs. */
  program: string;
  values: (run: Run) => string[];
  env: (run: Run) => Env;
  /** The model whose provider has the same API. */
  native?: string;
  /** Files by their path below the home folder, in which the agent also works. */
  files?: (run: Run) => Record<string, string>;
}

/** Returns a snippet of a quick start, with the address, the key and the model of a run. */
function snippetOf(id: string, title: string, { url, key, model }: Run): string {
  const guide = guides.find((each): each is Guide => each.id === id)!;
  const steps = guide.write({ base: url, key });
  const [code] = steps.flatMap(({ snippet }) => (snippet?.title === title ? [snippet.code] : []));
  return code!.replaceAll("sandbox-text", model);
}

/** Returns the variables that a script exports. */
const parseExports = (script: string): Env =>
  Object.fromEntries([...script.matchAll(/^export (\w+)="(.*)"$/gm)].map(([, name, value]) => [name!, value!]));

/** Keeps Claude Code from looking for updates and reporting its use. */
const QUIET = { DISABLE_AUTOUPDATER: "1", DISABLE_ERROR_REPORTING: "1", DISABLE_TELEMETRY: "1" };

const claudeCode = (name: string, env: Agent["env"]): Agent => ({
  name,
  program: "@anthropic-ai/claude-code-linux-x64/claude",
  values: ({ prompt }) => ["-p", prompt, "--allowedTools", "Bash"],
  env: (run) => ({ ...env(run), ...QUIET }),
  native: "native-messages",
});

const codex = (name: string, title: string, signIn: Pick<Agent, "env" | "files">): Agent => ({
  name,
  program: "@openai/codex/bin/codex.js",
  // The folder is a temporary one, and the only command prints a word.
  values: ({ prompt }) => ["exec", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox", prompt],
  env: signIn.env,
  native: "native-responses",
  files: (run) => ({ ".codex/config.toml": snippetOf("codex", title, run), ...signIn.files?.(run) }),
});

const openCode = (name: string, library: string, native?: string): Agent => ({
  name,
  native,
  program: "opencode-linux-x64/bin/opencode",
  values: ({ prompt }) => ["run", prompt],
  env: ({ key }) => ({ HUB_API_KEY: key, OPENCODE_DISABLE_MODELS_FETCH: "1" }),
  files: (run) => ({
    [path.join("project", "opencode.json")]: snippetOf("opencode", "opencode.json", run).replace(
      "@ai-sdk/openai-compatible",
      library,
    ),
  }),
});

export const agents: Agent[] = [
  claudeCode("Claude Code with ANTHROPIC_AUTH_TOKEN", (run) => parseExports(snippetOf("claude-code", "Terminal", run))),
  claudeCode("Claude Code with ANTHROPIC_API_KEY", (run) => {
    const settings = JSON.parse(snippetOf("claude-code", "~/.claude/settings.json", run)) as { env: Env };
    return settings.env;
  }),
  // As its quick start says for Anthropic's own models.
  claudeCode("Claude Code with betas", (run) =>
    parseExports(snippetOf("claude-code", "Terminal", run).replace(/^.*EXPERIMENTAL_BETAS.*$/m, "")),
  ),
  codex("Codex with its own provider", "~/.codex/config.toml", { env: ({ key }) => ({ HUB_API_KEY: key }) }),
  codex("Codex with the built-in provider", "~/.codex/config.toml, built-in provider", {
    env: () => ({}),
    // What `codex login --with-api-key` writes.
    files: ({ key }) => ({ ".codex/auth.json": JSON.stringify({ auth_mode: "apikey", OPENAI_API_KEY: key }) }),
  }),
  openCode("OpenCode over chat", "@ai-sdk/openai-compatible"),
  openCode("OpenCode over Messages", "@ai-sdk/anthropic", "native-messages"),
  openCode("OpenCode over Responses", "@ai-sdk/openai", "native-responses"),
];

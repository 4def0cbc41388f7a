const llm = `
    llm: { input_cost_per_million: 1, output_cost_per_million: 2, context_length: 400000, max_output_tokens: 128000 }
    supports: [vision, tools, structured_output]
    routes: [{ provider: up, upstream_model: gpt-up }]`;

/** Models of the upstream, with names by which Codex and Claude Code choose what they send. */
export const MODELS = ["talk", "gpt-5.5", "gpt-6-sol", "claude-opus-5-5"].map((id) => `\n  - id: ${id}${llm}`).join("");

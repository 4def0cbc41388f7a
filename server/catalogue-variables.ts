import { readSecretFile } from "./lib/read-secret-file";

/** Environment variables that replace `${NAME}`, and `${NAME:-default}`, which has a default. */
export type Variables = Readonly<Record<string, string | undefined>>;

/**
 * The prefixes of the variables that a catalogue may name: those of the provider kinds, and of makers and servers with
 * OpenAI's API.
 */
const providerPrefixes = [
  "ANTHROPIC_",
  "AZURE_OPENAI_",
  "BFL_",
  "CEREBRAS_",
  "COG_",
  "COHERE_",
  "COMFYUI_",
  "DEEPINFRA_",
  "DEEPSEEK_",
  "FAL_",
  "FIREWORKS_",
  "GEMINI_",
  "GROQ_",
  "LITELLM_",
  "LLAMA_CPP_",
  "MISTRAL_",
  "NEBIUS_",
  "NOVITA_",
  "OLLAMA_",
  "OPENAI_",
  "OPENROUTER_",
  "PERPLEXITY_",
  "REPLICATE_",
  "SGLANG_",
  "STABILITY_",
  "TOGETHER_",
  "VLLM_",
  "XAI_",
] as const;

/** Returns whether a variable has a prefix of providers' variables. */
export const hasProviderPrefix = (name: string): boolean => providerPrefixes.some((prefix) => name.startsWith(prefix));

/** Returns the variables with these names. The value of one that is not set is read from the file that `NAME_FILE` names. */
export function pickVariables(source: Variables, names: string[]): Variables {
  const variables: Record<string, string | undefined> = {};
  for (const name of new Set(names)) {
    const file = source[`${name}_FILE`];
    if (!file || source[name]) variables[name] = source[name];
    else Object.defineProperty(variables, name, { get: () => readIfPossible(file), enumerable: true });
  }
  return variables;
}

/** Returns undefined for a file that cannot be read: its provider is left out with a warning, like one without a key. */
function readIfPossible(file: string): string | undefined {
  try {
    return readSecretFile(file);
  } catch {
    return undefined;
  }
}

import type { ModelSummary } from "../../models/types";

/** Returns the input of a model for this prompt. */
export const inputFor = ({ is_llm }: ModelSummary, prompt: string): Record<string, unknown> =>
  is_llm ? { messages: [{ role: "user", content: prompt }] } : { prompt };

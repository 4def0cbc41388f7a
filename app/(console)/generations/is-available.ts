import type { GenerationSummary } from "./types";

/** Returns whether a generation has an output whose content has not expired; other content is not requested. */
export const isAvailable = (output: GenerationSummary["output"]): output is NonNullable<GenerationSummary["output"]> =>
  output !== null && new Date(output.expires_at) > new Date();

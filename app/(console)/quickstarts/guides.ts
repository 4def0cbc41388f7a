import type { Guide } from "./guide";
import { mcpGuides } from "./mcp-guides";
import { openAiGuides } from "./openai-guides";

/** Every quick start, in the order of the console. */
export const guides: Guide[] = [...mcpGuides, ...openAiGuides];

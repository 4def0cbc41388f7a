import { agentGuides } from "./agent-guides";
import type { Guide } from "./guide";
import { libraryGuides } from "./library-guides";
import { mcpGuides } from "./mcp-guides";
import { openAiGuides } from "./openai-guides";

/** Every quick start, in the order of the console. */
export const guides: Guide[] = [...agentGuides, ...mcpGuides, ...openAiGuides, ...libraryGuides];

import { createHash } from "node:crypto";

/** How a model's call of a function is shown to the client. */
type ToolKind = "function" | "custom" | "tool_search";

/** A tool of the client. */
export interface NamedTool {
  kind: ToolKind;
  name: string;
  /** Null if it is in none. */
  namespace: string | null;
}

const MAX_NAME_LENGTH = 64;
const DIGEST_LENGTH = 10;

/** The names by which a chat calls the client's tools, and the way back. */
export interface ToolNames {
  /** Returns the name of a tool in the chat: the same for equal tools, and for no others. */
  encode(tool: NamedTool): string;
  /** Returns the tool of a name; a function of that name if the chat has none. */
  decode(name: string): NamedTool;
}

/**
 * Creates the names of one chat. A tool keeps its name, after that of its namespace, if a chat accepts it and no other tool has
 * it; otherwise a digest makes it unique.
 */
export function createToolNames(): ToolNames {
  const tools = new Map<string, NamedTool>();
  return {
    encode(tool) {
      const plain = tool.namespace === null ? tool.name : `${tool.namespace}__${tool.name}`;
      const name = /^[\w-]{1,64}$/.test(plain) && isFree(tools.get(plain), tool) ? plain : digestName(plain, tool);
      tools.set(name, tool);
      return name;
    },
    decode: (name) => tools.get(name) ?? { kind: "function", name, namespace: null },
  };
}

const isFree = (known: NamedTool | undefined, { name, namespace }: NamedTool): boolean =>
  known === undefined || (known.name === name && known.namespace === namespace);

function digestName(plain: string, { name, namespace }: NamedTool): string {
  const digest = createHash("sha256")
    .update(JSON.stringify([namespace, name]))
    .digest("hex");
  const readable = plain.slice(0, MAX_NAME_LENGTH).replace(/[^\w-]/g, "_");
  return `${readable.slice(0, MAX_NAME_LENGTH - DIGEST_LENGTH - 1)}_${digest.slice(0, DIGEST_LENGTH)}`;
}

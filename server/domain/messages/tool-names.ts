import { createHash } from "node:crypto";

/** The longest name of a tool in OpenAI's format; Messages has names of up to 128 characters. */
const MAX_LENGTH = 64;
const DIGEST_LENGTH = 12;

/** The names of a request's tools: short enough for a chat, and as the client knows them. */
export interface ToolNames {
  shorten(name: string): string;
  restore(name: string): string;
}

export function createToolNames(): ToolNames {
  const originals = new Map<string, string>();
  return {
    shorten(name) {
      if (name.length <= MAX_LENGTH) return name;
      const digest = createHash("sha256").update(name).digest("hex").slice(0, DIGEST_LENGTH);
      const short = `${name.slice(0, MAX_LENGTH - DIGEST_LENGTH - 1)}_${digest}`;
      originals.set(short, name);
      return short;
    },
    restore: (name) => originals.get(name) ?? name,
  };
}

/** A message of a chat. */
export interface Turn {
  role: "user" | "assistant";
  text: string;
  images: string[];
  /** For replies only. */
  usage?: { prompt_tokens: number; completion_tokens: number; cost: number };
  /** True when the reply has no end: it reached the token limit, or was stopped. */
  isCut?: boolean;
  /** True when the person stopped it. */
  isStopped?: boolean;
  /** How fast it arrived; absent for one that was made before. */
  speed?: Speed;
  /** The id of the reply's generation. */
  id?: string;
  /** For a message without its reply: what repeats the request without paying twice. */
  sent?: { key: string; settings: Settings };
}

export interface Speed {
  /** The time until its first text. */
  firstMs: number;
  /** The time from there to its end. */
  streamMs: number;
}

export interface Settings {
  system?: string;
  max_tokens?: number;
}

/** Returns the settings that a preset has; the API may have saved anything. */
export const readSettings = ({ system, max_tokens }: Record<string, unknown>): Settings => ({
  ...(typeof system === "string" && { system }),
  ...(typeof max_tokens === "number" && { max_tokens }),
});

/** The initial state of a chat: its turns, the draft and the settings. */
export interface InitialChat {
  turns: Turn[];
  draft: Turn;
  settings: Settings;
}

/** Returns whether the last message has no reply yet. */
export const isAwaitingReply = (turns: Turn[]): boolean => turns.at(-1)?.role === "user";

export const emptyTurn: Turn = { role: "user", text: "", images: [] };

/** Returns a turn as a message of the API. */
const messageOf = ({ role, text, images }: Turn) => ({
  role,
  content:
    images.length === 0
      ? text
      : [{ type: "text", text }, ...images.map((url) => ({ type: "image_url", image_url: { url } }))],
});

/** Returns the input of the next request. */
export const inputOf = (turns: Turn[], { system = "", max_tokens }: Settings) => ({
  messages: [...(system.trim() ? [{ role: "system", content: system }] : []), ...turns.map(messageOf)],
  ...(max_tokens === undefined ? {} : { max_tokens }),
});

/** A message of a chat. */
export interface Turn {
  role: "user" | "assistant";
  text: string;
  images: string[];
  /** For replies only. */
  usage?: { prompt_tokens: number; completion_tokens: number; cost: number };
  /** True when the reply reached the token limit. */
  isCut?: boolean;
  /** The id of the reply's generation. */
  id?: string;
}

export interface Settings {
  system?: string;
  max_tokens?: number;
}

/** The initial state of a chat: its turns, the draft and the settings. */
export interface InitialChat {
  turns: Turn[];
  draft: Turn;
  settings: Settings;
}

export const emptyTurn: Turn = { role: "user", text: "", images: [] };

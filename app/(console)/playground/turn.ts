/** What somebody said in a chat. */
export interface Turn {
  role: "user" | "assistant";
  text: string;
  images: string[];
  /** Of an answer. */
  usage?: { prompt_tokens: number; completion_tokens: number; cost: number };
  /** Whether it was cut off at its limit. */
  isCut?: boolean;
  /** Of the generation that the answer is. */
  id?: string;
}

export interface Settings {
  system?: string;
  max_tokens?: number;
}

/** What a chat goes on from: its turns, the question that is to be asked next, and its settings. */
export interface Beginning {
  turns: Turn[];
  draft: Turn;
  settings: Settings;
}

export const nothing: Turn = { role: "user", text: "", images: [] };

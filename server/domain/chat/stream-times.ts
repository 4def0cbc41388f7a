/** How streamed chats wait, in milliseconds. */
export interface StreamTimes {
  /** After this long without a byte the client gets a comment, so that proxies do not take the connection for dead. */
  commentMs: number;
  /** How long a provider has to report usage after the end of the text. */
  usageMs: number;
}

export const STREAM_TIMES: StreamTimes = { commentMs: 15_000, usageMs: 5_000 };

/** How streamed chats wait, in milliseconds. */
export interface StreamTimes {
  /** After this long without a byte the client gets a comment, so that proxies do not take the connection for dead. */
  commentMs: number;
  /** How long a provider has to report usage after the end of the text. */
  usageMs: number;
  /** How long a chat whose client has left before the first event goes on, so that a retry can join it. */
  retryMs: number;
}

export const STREAM_TIMES: StreamTimes = { commentMs: 15_000, usageMs: 5_000, retryMs: 10_000 };

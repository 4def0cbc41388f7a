import { expect } from "vitest";
import { createListener } from "../../server/api/listener";
import { callApi, type Reply } from "../api/call";
import type { Customer } from "../api/customer";
import { deriveHub } from "../derive-hub";
import { serveRequests } from "../serve-requests";
import { CHAT, type ChatHost, userMessages } from "./host";

export interface RetryClients {
  /** Sends a chat, and disconnects once the provider has the request and the hub has recorded that. Returns the record's id. */
  abandonChat(customer: Customer, body?: Body, headers?: Record<string, string>): Promise<string>;
  /** Repeats the chat as an SDK does, by default at the same host. */
  retryChat(
    customer: Customer,
    body?: Body,
    options?: { count?: string; url?: string; signal?: AbortSignal },
  ): Promise<Reply>;
  /** Returns the account's chats, oldest first. */
  listRecords(customer: Customer): Promise<ChatRecord[]>;
}

export interface ChatRecord {
  id: string;
  status: string;
  billed_cost: bigint | null;
  answer: string | null;
  request_digest: Buffer | null;
  joinable_at: Date | null;
}

type Body = Record<string, unknown>;
export const HELLO: Body = { messages: userMessages("hello") };

/** Creates functions that send chats and repeat them without an idempotency key. */
export function createRetryClients(host: ChatHost): RetryClients {
  const listRecords = (customer: Customer) =>
    host.hub.db.query<ChatRecord>(
      `SELECT id, status, billed_cost, stored_answer AS answer, request_digest, joinable_at FROM generation
       WHERE account_id = $1 ORDER BY id`,
      [customer.account],
    );
  return {
    listRecords,
    async abandonChat(customer, body = HELLO, headers = {}) {
      const knownIds = (await listRecords(customer)).map(({ id }) => id);
      const requestCount = host.upstream.requests.length;
      const client = new AbortController();
      const response = host.chat(customer.key, body, { headers, signal: client.signal }).catch(() => null);
      await expect.poll(() => host.upstream.requests.length).toBe(requestCount + 1);
      client.abort();
      expect(await response).toBeNull();
      const findRecord = async () => (await listRecords(customer)).find(({ id }) => !knownIds.includes(id));
      if (!headers["idempotency-key"]) await expect.poll(async () => (await findRecord())?.joinable_at).not.toBeNull();
      return (await findRecord())!.id;
    },
    retryChat: (customer, body = HELLO, { count = "1", url = host.url, signal } = {}) =>
      callApi({ url }, "POST", CHAT, {
        key: customer.key,
        body: { model: "talk", ...body },
        headers: { "x-stainless-retry-count": count },
        signal,
      }),
  };
}

/** Opens the same hub as another process would, sharing only the database, and returns its URL. */
export function openSecondHost(host: ChatHost): Promise<string> {
  const listener = createListener(deriveHub(host.hub, { chats: new Map() }));
  return serveRequests((request, response) => void listener(request, response));
}

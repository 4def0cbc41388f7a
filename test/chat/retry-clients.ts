import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, expect } from "vitest";
import { createListener } from "../../server/api/listener";
import { call, type Reply } from "../api/call";
import type { Customer } from "../api/customer";
import { deriveHub } from "../derive-hub";
import { CHAT, type ChatHost, user } from "./host";

export interface RetryClients {
  /** Sends a chat and leaves as soon as the provider was asked for it and the record says so. Returns the record's id. */
  leave(customer: Customer, body?: Body, headers?: Record<string, string>): Promise<string>;
  /** Sends the chat once more, as an SDK does; to `url` when given. */
  retry(
    customer: Customer,
    body?: Body,
    options?: { count?: string; url?: string; signal?: AbortSignal },
  ): Promise<Reply>;
  /** What the account has, newest last. */
  records(customer: Customer): Promise<ChatRecord[]>;
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
export const HELLO: Body = { messages: user("hello") };

/** Clients of one host that repeat their chats without an idempotency key. */
export function createRetryClients(host: ChatHost): RetryClients {
  const records = (customer: Customer) =>
    host.hub.db.query<ChatRecord>(
      `SELECT id, status, billed_cost, stored_answer AS answer, request_digest, joinable_at FROM generation
       WHERE account_id = $1 ORDER BY id`,
      [customer.account],
    );
  return {
    records,
    async leave(customer, body = HELLO, headers = {}) {
      const known = (await records(customer)).map(({ id }) => id);
      const asked = host.upstream.seen.length;
      const client = new AbortController();
      const lost = host.chat(customer.key, body, { headers, signal: client.signal }).catch(() => null);
      await expect.poll(() => host.upstream.seen.length).toBe(asked + 1);
      client.abort();
      expect(await lost).toBeNull();
      const left = async () => (await records(customer)).find(({ id }) => !known.includes(id));
      if (!headers["idempotency-key"]) await expect.poll(async () => (await left())?.joinable_at).not.toBeNull();
      return (await left())!.id;
    },
    retry: (customer, body = HELLO, { count = "1", url = host.url, signal } = {}) =>
      call({ url }, "POST", CHAT, {
        key: customer.key,
        body: { model: "talk", ...body },
        headers: { "x-stainless-retry-count": count },
        signal,
      }),
  };
}

/** The same hub as another process would have it: only the database is shared. Returns its address. */
export async function openSecondHost(host: ChatHost): Promise<string> {
  const listener = createListener(deriveHub(host.hub));
  const server = createServer((request, response) => void listener(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  afterAll(() => server.closeAllConnections());
  afterAll(() => new Promise((resolve) => server.close(resolve)));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

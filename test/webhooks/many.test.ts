import { expect, test } from "vitest";
import { runningHub } from "../engine";
import { soakCount } from "../soak";
import { newWebhookAccount } from "./webhook-account";
import { openReceiver } from "./receiver";

const EVENTS = soakCount(100, 10_000);

test(
  `delivers all of ${EVENTS} events to a receiver that loses every tenth response, and a retry keeps its id`,
  { timeout: soakCount(60_000, 900_000) },
  async () => {
    let requests = 0;
    const receiver = await openReceiver((response, request) => {
      requests += 1;
      // The request was recorded; only the response is lost.
      if (requests % 10 === 0) request.socket.destroy();
      else response.writeHead(204).end();
    });
    const hub = await runningHub({ OUTBOUND_ALLOW_HOSTS: receiver.host });
    const webhookAccount = await newWebhookAccount(hub);
    await webhookAccount.createWebhook(receiver.url, ["generation.completed"]);
    const knownIds: string[] = [];
    while (knownIds.length < EVENTS) {
      const ids = await Promise.all(Array.from({ length: 50 }, () => webhookAccount.queueGeneration()));
      await Promise.all(ids.map((id) => webhookAccount.cancel(id)));
      knownIds.push(...ids);
    }
    let seen = 0;
    const pending = async (): Promise<number> => {
      const [row] = await hub.db.query<{ count: bigint; next: Date }>(
        "SELECT count(*), min(next_attempt_at) AS next FROM delivery WHERE state = 'pending'",
      );
      // Advances the clock only when no more requests arrive.
      const wait = row!.next ? row!.next.getTime() - hub.now().getTime() : 0;
      if (seen === receiver.received.length && wait > 0) hub.clock.advance(wait);
      seen = receiver.received.length;
      return Number(row!.count);
    };
    await expect.poll(pending, { timeout: soakCount(50_000, 800_000), interval: 500 }).toBe(0);

    const ids = new Map<string, Set<string>>();
    for (const { headers, body } of receiver.received) {
      const { id, data } = JSON.parse(body.toString()) as { id: string; data: { id: string } };
      expect(headers["x-service-delivery"]).toBe(id);
      ids.set(data.id, (ids.get(data.id) ?? new Set()).add(id));
    }
    expect(knownIds.filter((id) => !ids.has(id))).toEqual([]);
    expect([...ids.values()].every((deliveries) => deliveries.size === 1)).toBe(true);
    expect(new Set([...ids.values()].flatMap((deliveries) => [...deliveries])).size).toBe(EVENTS);
    expect(receiver.received.length).toBeGreaterThan(EVENTS);
    expect(await hub.db.query("SELECT FROM delivery WHERE state <> 'succeeded'")).toEqual([]);
  },
);

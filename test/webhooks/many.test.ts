import { expect, test } from "vitest";
import { runningHub } from "../engine";
import { times } from "../soak";
import { newFollower } from "./follower";
import { openReceiver } from "./receiver";

const EVENTS = times(500, 10_000);

test(
  `${EVENTS} events to a receiver that loses every tenth answer: none missing, and a repetition keeps its id`,
  { timeout: times(60_000, 900_000) },
  async () => {
    let requests = 0;
    const receiver = await openReceiver((response, request) => {
      requests += 1;
      // It was taken in; only the answer is lost.
      if (requests % 10 === 0) request.socket.destroy();
      else response.writeHead(204).end();
    });
    const hub = await runningHub({ OUTBOUND_ALLOW_HOSTS: receiver.host });
    const follower = await newFollower(hub);
    await follower.register(receiver.url, ["generation.completed"]);
    const told: string[] = [];
    while (told.length < EVENTS) {
      const ids = await Promise.all(Array.from({ length: 50 }, () => follower.queue()));
      await Promise.all(ids.map((id) => follower.cancel(id)));
      told.push(...ids);
    }
    let seen = 0;
    const pending = async (): Promise<number> => {
      const [row] = await hub.db.query<{ count: bigint; next: Date }>(
        "SELECT count(*), min(next_attempt_at) AS next FROM delivery WHERE state = 'pending'",
      );
      // Once nothing more comes by itself, the clock need not wait for what is due next.
      const wait = row!.next ? row!.next.getTime() - hub.now().getTime() : 0;
      if (seen === receiver.received.length && wait > 0) hub.clock.advance(wait);
      seen = receiver.received.length;
      return Number(row!.count);
    };
    await expect.poll(pending, { timeout: times(50_000, 800_000), interval: 500 }).toBe(0);

    const ids = new Map<string, Set<string>>();
    for (const { headers, body } of receiver.received) {
      const { id, data } = JSON.parse(body.toString()) as { id: string; data: { id: string } };
      expect(headers["x-service-delivery"]).toBe(id);
      ids.set(data.id, (ids.get(data.id) ?? new Set()).add(id));
    }
    expect(told.filter((id) => !ids.has(id))).toEqual([]);
    expect([...ids.values()].every((deliveries) => deliveries.size === 1)).toBe(true);
    expect(new Set([...ids.values()].flatMap((deliveries) => [...deliveries])).size).toBe(EVENTS);
    expect(receiver.received.length).toBeGreaterThan(EVENTS);
    expect(await hub.db.query("SELECT FROM delivery WHERE state <> 'succeeded'")).toEqual([]);
  },
);

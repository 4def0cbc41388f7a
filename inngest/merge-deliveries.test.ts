import { expect, test } from "vitest";
import type { HubEvent } from "./events";
import { mergeDeliveries } from "./publisher";

const delivery = (n: number, lane: string): HubEvent => ({
  name: "delivery/due",
  data: { id: String(n), generation: null, round: 1, lane },
});

test("the deliveries of a lane share four events, and nothing else changes", () => {
  const other: HubEvent = { name: "generation/canceled", data: { id: "1" } };
  const few = [delivery(1, "a"), delivery(2, "b"), other, delivery(3, "a")];
  expect(mergeDeliveries(few).toSorted(byId)).toEqual(few.toSorted(byId));

  const many = [...Array.from({ length: 10 }, (_, n) => delivery(n, "a")), delivery(10, "b"), other];
  const merged = mergeDeliveries(many);
  const idsOf = ({ data }: HubEvent) =>
    [data, ...(("more" in data && data.more) || [])].map((one) => "id" in one && one.id);
  expect(merged.map(idsOf)).toEqual([["1"], ["0", "4", "8"], ["1", "5", "9"], ["2", "6"], ["3", "7"], ["10"]]);
  expect(merged.map(({ data }) => "lane" in data && data.lane)).toEqual([false, "a", "a", "a", "a", "b"]);
});

const byId = (a: HubEvent, b: HubEvent) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1);

import { expect } from "vitest";
import { newCustomer } from "../api/customer";
import type { TestHub } from "../hub";
import { soakCount } from "../soak";
import { pause, sendRequest } from "./send-request";

const SIZE = soakCount(100, 1_000);
const PATH = "/api/v1/hub/batches";
const inputs = Array.from({ length: SIZE }, (_, n) => ({ prompt: `picture ${n}` }));

/** Opens an account that creates one batch for each kill. */
export async function openBatches(hub: TestHub, url: string) {
  const { key } = await newCustomer(hub, { credit: 1_000 });
  const target = { url, key };
  const ids: string[] = [];
  /** Returns the id of the batch; undefined if the hub was killed before it had responded with one. */
  const create = async (kill: number) => {
    const body = { model: "sandbox-image", inputs };
    const answer = await sendRequest(target, "POST", PATH, `batch-${kill}`, body);
    if (answer) expect([200, 202, 503]).toContain(answer.status);
    return answer?.status === 503 ? answer.body.batch_id : answer?.body.id;
  };
  return {
    create,

    /** Creates it again, expects the first batch if that was answered, and cancels it as a whole. */
    async repeat(kill: number, first: string | undefined) {
      let id: string | undefined;
      while (!(id = await create(kill))) await pause();
      if (first) expect(id).toBe(first);
      const canceled = await sendRequest(target, "POST", `${PATH}/${id}/cancel`);
      expect(Object.values(canceled!.body.counts!).reduce((sum, count) => sum + count, 0)).toBe(SIZE);
      ids.push(id);
    },

    /** Expects that the account has as many batches as there were kills, and no others. */
    async expectOneEach(kills: number) {
      const list = await sendRequest(target, "GET", `${PATH}?limit=100`);
      expect(list!.body.data!.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
      expect(new Set(ids).size).toBe(kills);
    },
  };
}

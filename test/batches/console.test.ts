import { beforeEach, expect, test } from "vitest";
import { newId } from "../../server/lib/id";
import { newConsoleUser } from "../console/console-user";
import { testHub } from "../hub";

const hub = await testHub();
type User = Awaited<ReturnType<typeof newConsoleUser>>;
let user: User;
beforeEach(async () => {
  user = await newConsoleUser(hub);
});

const MODEL = "sandbox-image";
const COST = 0.0092;
const inputsOf = (count: number) => Array.from({ length: count }, (_, n) => ({ prompt: `a pier ${n}` }));
const createBatch = (count: number) =>
  user.console.batches.create({ idempotencyKey: newId(), model: MODEL, inputs: inputsOf(count) });
const run = () => user.console.playground.run({ idempotencyKey: newId(), model: MODEL, input: { prompt: "alone" } });

/** Reads the console's list to its end, page by page. */
async function listAll() {
  const pages = [];
  let cursor: string | undefined;
  do {
    const page = await user.console.generations.list({ cursor });
    pages.push([...page.data, ...page.batches].map(({ id }) => id).toSorted().reverse()); // prettier-ignore
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined);
  return pages;
}

test("the list has each batch once, in its place, however pages and batches meet", async () => {
  const ids: string[] = [];
  for (const count of [0, 45, 3, 0, 0, 21, 1, 30, 25, 40, 22, 26, 0]) {
    const { id } = count === 0 ? await run() : await createBatch(count);
    ids.push(id);
  }
  expect((await listAll()).flat()).toEqual(ids.toReversed());
  const [first] = await listAll();
  expect(first!.length).toBeGreaterThanOrEqual(4);
});

test("single generations stay in the list beside a batch, also those of a group of the client's own", async () => {
  const singles = [];
  for (let n = 0; n < 25; n += 1) singles.push((await run()).id);
  const group = newId();
  await hub.db.query("UPDATE generation SET batch_id = $1 WHERE id = ANY ($2)", [group, singles.slice(0, 3)]);
  const { id } = await createBatch(2);
  expect(await listAll()).toEqual([[id, ...singles.slice(6).toReversed()], singles.slice(0, 6).toReversed()]);
});

test("a filter finds single generations of a batch", async () => {
  const { id } = await createBatch(3);
  const { data, batches } = await user.console.generations.list({ batch_id: id });
  expect([data.length, batches]).toEqual([3, []]);
  expect((await user.console.generations.list({ status: "queued" })).data).toHaveLength(3);
  expect((await user.console.generations.recent()).batches).toMatchObject([{ id, reserved_cost: 3 * COST }]);
  expect(await user.console.generations.get({ id: data[0]!.id })).toMatchObject({ is_in_batch: true, batch_id: id });
});

test("a preview has the sum, and names what is wrong with which input", async () => {
  const preview = (inputs: Record<string, unknown>[]) => user.console.batches.preview({ model: MODEL, inputs });
  expect(await preview(inputsOf(5))).toEqual({ count: 5, rejected: 0, issues: [], estimated_cost: 5 * COST, currency: "EUR" }); // prettier-ignore
  const wrong = [{ prompt: "a" }, { prompt: "b", resolution: "huge" }, {}];
  expect(await preview(wrong)).toMatchObject({
    rejected: 2,
    issues: [
      { index: 1, parameter: "resolution" },
      { index: 2, parameter: "prompt", message: "is required" },
    ],
  });
  const many = await preview(Array.from({ length: 50 }, () => ({})));
  expect([many.rejected, many.issues.length]).toEqual([50, 20]);
  await expect(user.console.batches.preview({ model: "none", inputs: [{}] })).rejects.toMatchObject({
    code: "NOT_FOUND",
  });
  expect((await user.console.generations.list({})).data).toEqual([]);
});

test("a batch that is sent again is started once, and costs no more than was shown", async () => {
  const request = { idempotencyKey: newId(), model: MODEL, inputs: inputsOf(2), max_cost: 2 * COST };
  const [one, other] = await Promise.all([1, 2].map(() => user.console.batches.create(request)));
  expect(other!.id).toBe(one!.id);
  const dearer = { ...request, idempotencyKey: newId(), inputs: inputsOf(3) };
  await expect(user.console.batches.create(dearer)).rejects.toMatchObject({ code: "BAD_REQUEST" });
  expect((await user.console.batches.list({})).data.map(({ id }) => id)).toEqual([one!.id]);
  expect(await user.console.batches.cancel({ id: one!.id })).toMatchObject({ status: "canceled", reserved_cost: 0 });
  const { batches } = (await newConsoleUser(hub)).console;
  for (const call of [batches.get, batches.cancel])
    await expect(call({ id: one!.id })).rejects.toMatchObject({ code: "NOT_FOUND" });
});

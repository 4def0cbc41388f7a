import { expect, test } from "vitest";
import { queuedGeneration } from "../../../test/generation-fixture";
import { openFileHub } from "../../../test/file-hub";
import { newId } from "../../lib/id";
import { describeCharges } from "../generations/read/describe-charges";
import { finishGeneration } from "../generations/end/finish";
import { insertWithHold } from "../generations/intake/insert-with-hold";
import { markRunning } from "../generations/run/mark-running";
import { createKey } from "../keys/create";
import { creditAccount } from "./credit";
import { forecastCredit, getPace } from "./spend-pace";

const { hub, advance, newAccount, ctxOf } = await openFileHub();
const DAY_MS = 86_400_000;

async function charge(account: number, cost: bigint, changes: { input?: object; key_id?: string } = {}) {
  const generation = { ...queuedGeneration(account, cost), ...changes, created_at: hub.now() };
  await insertWithHold(hub, generation as ReturnType<typeof queuedGeneration>);
  await markRunning(hub, { generationId: generation.id, runId: newId() });
  await finishGeneration(hub, { id: generation.id, from: ["running"], to: "succeeded" });
  return generation.id;
}

/** Returns the context of an account with this credit and no hold. */
const withCredit = (account: number, available: bigint) => {
  const ctx = ctxOf(account);
  return { ...ctx, account: { ...ctx.account, balance: available, reserved: 0n } };
};

test("the forecast takes the charges of the last seven days, and needs two days of them", async () => {
  const account = await newAccount();
  const forecast = () => forecastCredit(withCredit(account, 90n));
  expect(await forecast()).toBeNull();
  await charge(account, 1_000n);
  advance(7 * DAY_MS);
  await charge(account, 10n);
  await charge(account, 5n);
  // What was charged a week ago no longer counts, and one day may be a trial.
  expect(await getPace(ctxOf(account))).toEqual({ spent: 15n, days: 1 });
  expect(await forecast()).toBeNull();
  advance(DAY_MS);
  await charge(account, 6n);
  await creditAccount(hub, account, { amount: 1_000n });
  expect(await forecast()).toBe(30);
  expect(await forecastCredit(withCredit(account, 0n))).toBeNull();
});

test("charges are described by prompt and key, for their account only", async () => {
  const [account, other] = [await newAccount(), await newAccount()];
  const { record: key } = await createKey(hub, account, { name: "server" });
  const picture = await charge(account, 1n, { input: { prompt: "a  harbour\nat dawn" }, key_id: key.id });
  const messages = [{ role: "user", content: [{ type: "text", text: "Name three harbours" }] }];
  const chat = await charge(account, 1n, { input: { messages } });
  const theirs = await charge(other, 1n, { input: { prompt: "secret" } });
  expect(await describeCharges(ctxOf(account), [picture, chat, theirs])).toEqual(
    new Map([
      [picture, { title: "a harbour at dawn", key_name: "server" }],
      [chat, { title: "Name three harbours", key_name: null }],
    ]),
  );
});

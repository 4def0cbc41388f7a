import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runAudit } from "../../server/domain/audit/audit";
import { toEuros } from "../../server/lib/money";
import { callApi } from "../api/call";
import { openOwnHost } from "../api/hosts";
import { CHAT } from "../chat/host";
import { breakMidway, errorBody, openUpstream, respondNormally, respondWith } from "../chat/upstream";
import { seed, soakCount } from "../soak";
import { costBy } from "./random-books";
import { anyChanges, anyCustomer, anyPrice, attemptsOf, openSeller, readEnded, type Seller, sells } from "./seller";

const CHATS = soakCount(10, 5_000);

const host = await openOwnHost();
const { hub } = host;
const chats = await openUpstream();
let seller: Seller;
beforeAll(async () => {
  seller = await openSeller(hub, chats.url);
});
afterAll(async () => {
  await chats.close();
  expect((await runAudit(hub.db)).violations).toEqual([]);
});

const failures = {
  refused: respondWith(401, errorBody("bad key")),
  broken: respondWith(500, errorBody("boom")),
  lost: breakMidway,
  done: respondNormally,
};
/** The status with which a chat ends after the last answer; a 4xx of the provider keeps its own. */
const statuses = { refused: 401, broken: 503, lost: 503, done: 200 };
const talks = fc.record({
  buyer: anyCustomer,
  text: fc.string({ maxLength: 200 }),
  offer: anyPrice,
  changes: anyChanges,
  routes: fc.array(
    fc.record({
      answer: fc.constantFrom("refused", "broken", "lost", "done", "done"),
      onUnknown: fc.constantFrom("fail" as const, "retry" as const),
      onError: fc.constantFrom("fail" as const, "next" as const),
    }),
    { minLength: 3, maxLength: 3 },
  ),
});
type Talk = typeof talks extends fc.Arbitrary<infer T> ? T : never;

/** Returns the answers of the routes that a chat calls, in their order. */
function listCalls({ routes: called }: Talk) {
  const calls: Talk["routes"][number]["answer"][] = [];
  for (const { answer, onUnknown, onError } of called) {
    const isFirstLost = answer === "lost" && !calls.includes("lost");
    calls.push(answer);
    const goesOn =
      answer === "refused" || (answer === "broken" && onError === "next") || (isFirstLost && onUnknown === "retry");
    if (!goesOn) break;
  }
  return calls;
}

async function buyTalk(talk: Talk): Promise<void> {
  await seller.change(talk.changes);
  seller.offer({ ...talk.offer, routes: talk.routes });
  const terms = seller.termsOf(talk.buyer);
  const calls = listCalls(talk);
  if (sells(terms)) chats.respondNext(...calls.map((answer) => failures[answer]));
  const messages = [{ role: "user", content: `say: ${talk.text}` }];
  const { key, account } = seller.customers[talk.buyer]!;
  const { status, body } = await callApi(host, "POST", CHAT, { key, body: { model: "talk", messages } });
  const last = calls.at(-1)!;
  const isDone = last === "done";
  expect(status).toBe(sells(terms) ? statuses[last] : 404);
  if (!sells(terms)) return;
  const [{ id, price } = { id: "", price: { most_input_tokens: 0, most_output_tokens: 0 } }] = await hub.db.query<{
    id: string;
    price: Record<"most_input_tokens" | "most_output_tokens", number>;
  }>("SELECT id, price FROM generation WHERE account_id = $1 ORDER BY id DESC LIMIT 1", [account]);
  const tokensCost = (input: number, output: number) => {
    const { settings, ...bought } = terms;
    return costBy(settings, { ...bought, units: BigInt(input + 2 * output), per: 1_000_000n });
  };
  const usage = body.usage as { cost: number; prompt_tokens: number; completion_tokens: number } | undefined;
  const charge = usage ? tokensCost(usage.prompt_tokens, usage.completion_tokens) : 0n;
  expect(usage?.cost).toBe(isDone ? toEuros(charge) : undefined);
  const ended = await readEnded(hub, id);
  expect(ended).toMatchObject({
    status: isDone ? "succeeded" : "failed",
    estimated_cost: tokensCost(price.most_input_tokens, price.most_output_tokens),
    charged: charge,
  });
  expect(charge <= ended.estimated_cost).toBe(true);
  const lost = calls.indexOf("lost");
  expect((await attemptsOf(hub, id)).map(({ reason }) => reason === "bought_again")).toEqual(
    calls.map((_, n) => lost >= 0 && n > lost),
  );
  seller.addCharge(talk.buyer, charge);
}

test(`in ${CHATS} chats with changes and failover everybody pays the price of the own book, once`, async () => {
  await fc.assert(fc.asyncProperty(talks, buyTalk), { seed, numRuns: CHATS, endOnFailure: true });
}, 3_600_000);

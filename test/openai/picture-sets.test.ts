import { expect, test } from "vitest";
import { runAudit } from "../../server/domain/audit/audit";
import { creditAccount } from "../../server/domain/ledger/credit";
import { parseDecimal } from "../../server/lib/money";
import { newCustomer } from "../api/customer";
import { openOwnHost } from "../api/hosts";

// Without a job engine what is started stays queued.
const host = await openOwnHost();

const requestPictures = (key: string, headers: Record<string, string> = {}, signal?: AbortSignal) =>
  fetch(`${host.url}/v1/images/generations`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json", ...headers },
    body: JSON.stringify({ model: "sandbox-image", prompt: "a harbour", n: 3 }),
    signal,
  });

test("if the balance does not cover all pictures, none is made: earlier ones are canceled at no cost", async () => {
  // Enough for two of three.
  const { key, account } = await newCustomer(host.hub, { credit: 0.02 });
  const reply = await requestPictures(key);
  expect(reply.status).toBe(402);
  const rows = await host.hub.db.query("SELECT status FROM generation WHERE account_id = $1", [account]);
  expect(rows).toEqual([{ status: "canceled" }, { status: "canceled" }]);
  const charges = await host.hub.db.query("SELECT FROM ledger_entry WHERE account_id = $1 AND kind = 'charge'", [
    account,
  ]);
  expect(charges).toEqual([]);
  expect((await runAudit(host.hub.db)).violations).toEqual([]);
});

test.each([
  ["with its idempotency key", { "idempotency-key": "set" }, { "idempotency-key": "set" }],
  ["by an SDK", {}, { "x-stainless-retry-count": "1" }],
])("after a rejected request, a repeat %s starts all pictures", async (_how, headers, repeatHeaders) => {
  const { key, account } = await newCustomer(host.hub, { credit: 0.02 });
  expect((await requestPictures(key, headers)).status).toBe(402);
  await creditAccount(host.hub, account, { amount: parseDecimal(1) });
  // The claims of the rejected request have expired, so a retry could join its generations.
  host.hub.clock.advance(60_000);
  const client = new AbortController();
  const repeat = requestPictures(key, repeatHeaders, client.signal).catch(() => undefined);
  const queued = "SELECT FROM generation WHERE account_id = $1 AND status = 'queued'";
  await expect.poll(() => host.hub.db.query(queued, [account])).toHaveLength(3);
  client.abort();
  await repeat;
});

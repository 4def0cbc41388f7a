import { expect, test } from "vitest";
import { runAudit } from "../../server/domain/audit/audit";
import { newCustomer } from "../api/customer";
import { openOwnHost } from "../api/hosts";

// Without a job engine what is started stays queued.
const host = await openOwnHost();

test("if the balance does not cover all pictures, none is made: earlier ones are canceled at no cost", async () => {
  // Enough for two of three.
  const { key, account } = await newCustomer(host.hub, { credit: 0.02 });
  const reply = await fetch(`${host.url}/v1/images/generations`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "sandbox-image", prompt: "a harbour", n: 3 }),
  });
  expect(reply.status).toBe(402);
  const rows = await host.hub.db.query("SELECT status FROM generation WHERE account_id = $1", [account]);
  expect(rows).toEqual([{ status: "canceled" }, { status: "canceled" }]);
  const charges = await host.hub.db.query("SELECT FROM ledger_entry WHERE account_id = $1 AND kind = 'charge'", [
    account,
  ]);
  expect(charges).toEqual([]);
  expect((await runAudit(host.hub.db)).violations).toEqual([]);
});

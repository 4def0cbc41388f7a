import { readFileSync } from "node:fs";
import { parseCatalogue } from "../../server/catalogue/parse";
import { contextOf } from "../../server/context";
import { createAccount } from "../../server/domain/accounts/account";
import { markRunning } from "../../server/domain/generations/mark-running";
import { startGeneration } from "../../server/domain/generations/start";
import { creditAccount } from "../../server/domain/ledger/credit";
import { endRun } from "../../server/domain/runs/end-run";
import { toEnding } from "../../server/domain/runs/next-action";
import { runAttempt } from "../../server/domain/runs/run-attempt";
import { catalogueWith } from "../catalogue";
import { testHub } from "../hub";

const CREDIT = 10_000_000_000n;
const selectEnd = "SELECT id, billed_cost, error->>'code' AS code FROM generation WHERE id = $1";

/**
 * Opens a hub with the catalogue of a page of the documentation, whose provider is at another address and has the tests'
 * key, and with an account that has 10 EUR.
 */
export async function openDocumentedHub(page: string, keyVariable: string, baseUrl: string) {
  const hub = await testHub();
  const [, yaml] = /```yaml\n([^`]*)```/.exec(readFileSync(page, "utf8"))!;
  const variables = { [keyVariable]: "test-key-0123456789" };
  const { models } = parseCatalogue(yaml!, { file: page, variables });
  for (const { provider } of models.flatMap(({ routes }) => routes)) Object.assign(provider, { baseUrl });
  hub.catalogue = catalogueWith(models);
  const email = `${keyVariable}@example.org`;
  const account = await createAccount(hub, { email });
  await creditAccount(hub, account, { amount: CREDIT });
  const ctx = contextOf(
    hub,
    { id: account, email, member: false, balance: CREDIT, reserved: 0n },
    { kind: "user" },
    "test",
  );

  /** Runs a generation to its end, and returns its row and those of its attempts. */
  const runGeneration = async (input: Record<string, unknown>) => {
    const { generation } = await startGeneration(ctx, { model: models[0]!.id, input }, null);
    const { id } = generation;
    const run = { generationId: id, runId: "run" };
    await markRunning(hub, run);
    let action = await runAttempt(hub, run, 1);
    while (action.next === "poll" || action.next === "wait") {
      hub.clock.advance((action.next === "poll" ? action.pollAfterSeconds : action.waitSeconds) * 1000);
      action = await runAttempt(hub, run, 1);
    }
    if (action.next !== "succeed" && action.next !== "fail") throw new Error(`the run went on: ${action.next}`);
    await endRun(hub, run, toEnding(action));
    const [row] = await hub.db.query<{ id: string }>(selectEnd, [id]);
    const attempts = await hub.db.query("SELECT outcome, cost FROM attempt WHERE generation_id = $1", [id]);
    return { ...row!, attempts };
  };
  return { hub, account, runGeneration };
}

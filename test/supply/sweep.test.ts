import { expect, test } from "vitest";
import type { Ctx } from "../../server/context";
import type { Hub } from "../../server/domain/hub";
import { createAccount } from "../../server/domain/people/create-account";
import { getStoredGeneration } from "../../server/domain/generations/read/get";
import { startGeneration } from "../../server/domain/generations/intake/start";
import { creditAccount } from "../../server/domain/ledger/credit";
import { runningHub } from "../engine";
import { hashOf, insertFile } from "../insert-file";

const hub = await runningHub({ SUPPLY_TTL_HOURS: "0.5" });

test("the sweep fails overdue waiting generations, and queues those whose content was stored without a notice", async () => {
  const id = await createAccount(hub, { email: "sweep@example.org" });
  await creditAccount(hub, id, { amount: 1_000_000_000n });
  const account = { id, email: "", member: false, balance: 0n, reserved: 0n };
  const ctx: Ctx<Hub> = { hub, account, actor: { kind: "user" }, requestId: "test" };
  const create = async (content: string) => {
    const input = { prompt: "[fail] a tree", image_input: [`sha256:${hashOf(content)}`] };
    return (await startGeneration(ctx, { model: "sandbox-image", input }, null)).generation.id;
  };
  const [overdue, unnoticed] = [await create("never"), await create("untold")];
  await insertFile(hub, id, "untold");
  const codes = async () => [
    (await getStoredGeneration(ctx, overdue)).error?.code,
    (await getStoredGeneration(ctx, unnoticed)).error?.code,
  ];
  hub.clock.advance(20 * 60_000);
  await expect.poll(codes).toEqual([undefined, "provider_error"]);
  hub.clock.advance(11 * 60_000);
  await expect.poll(codes).toEqual(["supply_timeout", "provider_error"]);
});

import { expect, test } from "vitest";
import type { Ctx } from "../../server/context";
import { createAccount } from "../../server/domain/accounts/account";
import { getStoredGeneration } from "../../server/domain/generations/get";
import { startGeneration } from "../../server/domain/generations/start";
import { creditAccount } from "../../server/domain/ledger/credit";
import { runningHub } from "../engine";
import { hashOf, keepFile } from "../keep-file";

const hub = await runningHub({ SUPPLY_TTL_HOURS: "0.5" });

test("by itself: what waited in vain fails when its time is over, what came untold runs", async () => {
  const id = await createAccount(hub, { email: "sweep@example.org" });
  await creditAccount(hub, id, { amount: 1_000_000_000n });
  const account = { id, email: "", member: false, balance: 0n, reserved: 0n };
  const ctx: Ctx = { hub, account, actor: { kind: "user" }, requestId: "test" };
  const create = async (content: string) => {
    const input = { prompt: "[fail] a tree", image_input: [`sha256:${hashOf(content)}`] };
    return (await startGeneration(ctx, { model: "sandbox-image", input }, null)).generation.id;
  };
  const [vain, untold] = [await create("never"), await create("untold")];
  await keepFile(hub, id, "untold");
  const codes = async () => [
    (await getStoredGeneration(ctx, vain)).error?.code,
    (await getStoredGeneration(ctx, untold)).error?.code,
  ];
  hub.clock.advance(20 * 60_000);
  await expect.poll(codes, { timeout: 10_000 }).toEqual([undefined, "provider_error"]);
  hub.clock.advance(11 * 60_000);
  await expect.poll(codes, { timeout: 10_000 }).toEqual(["supply_timeout", "provider_error"]);
});

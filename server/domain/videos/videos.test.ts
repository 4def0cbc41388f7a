import { expect, test } from "vitest";
import { insertHistory } from "../../../bench/accounts";
import { explainPlan } from "../../../test/explain-plan";
import { testHub } from "../../../test/hub";
import { createAccount } from "../people/create-account";
import { listVideos } from "./videos";

test("a page reads the index of videos from its first row, whatever else the account has", async () => {
  const hub = await testHub();
  const id = await createAccount(hub, { email: "large@example.org" });
  await insertHistory(hub, id, 10_000);
  await hub.db.query(
    `UPDATE generation SET video = '{"seconds":"4","size":null}' WHERE get_byte(uuid_send(id), 15) < 128`,
  );
  await hub.db.query("ANALYZE generation");
  const account = { id, email: "", member: false, balance: 0n, reserved: 0n };
  const actor = { kind: "user" as const };
  for (const order of ["asc", "desc"] as const) {
    const plan = await explainPlan(hub, (hub) =>
      listVideos({ hub, account, actor, requestId: "test" }, { limit: 10, order, after: undefined }),
    );
    // Neither a sort nor a filter stands between the limit and the index.
    expect(plan).toMatch(/^Limit .*\n +-> {2}Index Scan (Backward )?using generation_video on generation g .*\n/);
    expect(plan).toMatch(/generation g .*\n +Index Cond: \(\(account_id >= .*\) AND \(id [<>] '.*\n +SubPlan 1\n/);
  }
});

import { expect, test } from "vitest";
import { explainPlan } from "../../../test/explain-plan";
import { openFileHub } from "../../../test/file-hub";
import type { Actor } from "../../context";
import { newId } from "../../lib/id";
import { getProvenance, identifyFiles } from "./provenance";

const { hub, newAccount, ctxOf, output } = await openFileHub();

test("copies are found by the indexes of hashes", async () => {
  const account = await newAccount();
  await hub.db.query(
    `INSERT INTO file (id, account_id, media_type, size, sha256, created_at, stored_at, expires_at)
     SELECT gen_random_uuid(), $1, 'text/plain', 1, sha256(n::text::bytea), $2, $2, $2 FROM generate_series(1, 5000) n`,
    [account, hub.now()],
  );
  await hub.db.query("ANALYZE file");
  const ctx = ctxOf(account);
  const plan = await explainPlan(hub, (h) => identifyFiles({ ...ctx, hub: h }, Buffer.alloc(32)));
  expect(plan).toContain("file_stored_sha256");
  expect(plan).toContain("file_removed_sha256");
  expect(plan).not.toContain("Seq Scan on file");
});

test("a key that sees only its own files identifies no others", async () => {
  const account = await newAccount();
  const id = await output(account);
  const ctx = ctxOf(account);
  const { sha256 } = await getProvenance(ctx, id);
  expect(await identifyFiles(ctx, sha256)).toMatchObject([{ id }]);
  const actor = { kind: "key", scope: "mcp", id: newId() } as Actor;
  expect(await identifyFiles({ ...ctx, actor }, sha256)).toEqual([]);
});

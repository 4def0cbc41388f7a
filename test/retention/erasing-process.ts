import { composeHub } from "../../server/compose-hub";
import { eraseContent } from "../../server/domain/erasure";
import { readEnv } from "../../server/env";

// Erases all generations in a process of its own, a few at a time, until a test kills it. Says when it has begun.
const composition = await composeHub(readEnv(), process.env.DATABASE_URL!);
const { hub } = composition;
const BATCH = 3;
const rows = await hub.db.query<{ id: string }>("SELECT id FROM generation WHERE erased_at IS NULL ORDER BY id");
process.stdout.write("begun\n");
for (let start = 0; start < rows.length; start += BATCH)
  await eraseContent(
    hub,
    rows.slice(start, start + BATCH).map(({ id }) => id),
  );
await composition.close();

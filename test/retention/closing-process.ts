import { composeHub } from "../../server/compose-hub";
import { advanceClosures } from "../../server/domain/closures/advance-closures";
import { erasePending } from "../../server/domain/closures/pending-erasure";
import { readEnv } from "../../server/env";

// Closes the accounts that are due in a process of its own, until a test kills it. Says when it has begun.
const composition = await composeHub(readEnv(), process.env.DATABASE_URL!);
const { hub } = composition;
process.stdout.write("begun\n");
await advanceClosures(hub);
await erasePending(hub);
await composition.close();

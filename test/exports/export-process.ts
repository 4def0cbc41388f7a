import { readEnv } from "../../server/env";
import { composeHub } from "../../server/compose-hub";
import { makeExport } from "../../server/domain/exports";
import { deriveHub } from "../derive-hub";

// Makes exports in a process of its own. Its storage never answers for the file with the id HANG_AT, so that a test can
// kill the process while it writes a part.
const { hub } = await composeHub(readEnv(), process.env.DATABASE_URL!);
const storage = {
  ...hub.storage,
  open: (...values: Parameters<typeof hub.storage.open>) =>
    values[0] === process.env.HANG_AT ? new Promise<never>(() => undefined) : hub.storage.open(...values),
};
await makeExport(deriveHub(hub, { storage }), new AbortController().signal, {
  partBytes: Number(process.env.PART_BYTES),
});

import { onFileStored } from "../../server/domain/generations/queue/supply";
import { createEmbeddedEngine } from "../../inngest/embedded/engine";
import { createFunctions } from "../../inngest/functions";
import type { Hub } from "../../server/domain/hub";
import { readEnv } from "../../server/env";
import { composeHub } from "../../server/compose-hub";
import { hashOf, insertFile } from "../insert-file";
import { deriveHub } from "../derive-hub";
import type { Uploads } from "./fork-hub";

// A hub that delivers webhooks, in a process that tests kill. A message with a number moves its clock forward.
const env = readEnv();
let ahead = Number(process.argv[2]);
const now = () => new Date(Date.now() + ahead);
const { hub, getInngest } = await composeHub(env, env.DATABASE_URL!);
const inngest = await getInngest();
const hubAhead: Hub = deriveHub(hub, { now });
const engine = createEmbeddedEngine({
  listenUrl: env.DATABASE_URL!,
  inngest,
  functions: createFunctions(inngest, hubAhead),
  log: hub.log,
  now,
  slots: 256,
});
await engine.start();
process.on("message", (message: number | Uploads) => {
  if (typeof message !== "number") return void storeAndDie(message);
  ahead += message;
  void hub.db.query("SELECT pg_notify('engine', '')");
});
process.on("disconnect", () => process.exit(0));
process.send!("ready");

async function storeAndDie({ account, contents }: Uploads) {
  for (const [index, content] of contents.entries()) {
    const bytes = Buffer.from(content, "base64");
    await insertFile(hubAhead, account, bytes);
    if (index === contents.length - 1) process.kill(process.pid, "SIGKILL");
    await onFileStored(hubAhead, account, Buffer.from(hashOf(bytes), "hex"));
  }
}

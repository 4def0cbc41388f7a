import { onFileStored } from "../../server/domain/generations/supply";
import { createEmbeddedEngine } from "../../inngest/embedded/engine";
import { createFunctions } from "../../inngest/functions";
import type { Hub } from "../../server/context";
import { readEnv } from "../../server/env";
import { composeHub } from "../../server/hub";
import { hashOf, keepFile } from "../keep-file";
import { deriveHub } from "../derive-hub";
import type { Uploads } from "./fork-hub";

// A hub that delivers, in a process that tests kill. Its clock runs ahead, by milliseconds that it is told.
const env = readEnv();
let ahead = Number(process.argv[2]);
const now = () => new Date(Date.now() + ahead);
const { hub, inngest } = await composeHub(env, env.DATABASE_URL!);
const moved: Hub = deriveHub(hub, { now });
const engine = createEmbeddedEngine({
  listenUrl: env.DATABASE_URL!,
  inngest,
  functions: createFunctions(inngest, moved),
  log: hub.log,
  now,
  slots: 256,
});
await engine.start();
process.on("message", (told: number | Uploads) => {
  if (typeof told !== "number") return void uploadAndDie(told);
  ahead += told;
  void hub.db.query("SELECT pg_notify('engine', '')");
});
process.on("disconnect", () => process.exit(0));
process.send!("ready");

async function uploadAndDie({ account, contents }: Uploads) {
  for (const [index, content] of contents.entries()) {
    const bytes = Buffer.from(content, "base64");
    await keepFile(moved, account, bytes);
    if (index === contents.length - 1) process.kill(process.pid, "SIGKILL");
    await onFileStored(moved, account, Buffer.from(hashOf(bytes), "hex"));
  }
}

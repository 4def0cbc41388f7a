import pino from "pino";
import { openDb } from "../../server/db/client";
import { createInngest } from "../client";
import { createEmbeddedEngine } from "../embedded/engine";
import { embeddedFetch } from "../embedded/fetch";
import { sampleFunctions } from "./sample-functions";

// A process that tests kill: it hangs in the second step of `crash`, and also runs the sample functions.
const url = process.argv[2]!;
const now = () => new Date();
const inngest = createInngest({ env: { inngest: false }, fetch: embeddedFetch(openDb(url, 3), now) });
const crash = inngest.createFunction({ id: "crash", triggers: [{ event: "crash/asked" }] }, async ({ step }) => {
  await step.run("first", () => "first of the child");
  // Ends the call, because the results of a call are stored only when it returns.
  await step.sleepUntil("nap", new Date());
  await step.run("second", () => {
    process.stdout.write("in the second\n");
    return new Promise(() => undefined);
  });
});
const log = pino({ level: "warn" }, pino.destination(2));
await createEmbeddedEngine({
  listenUrl: url,
  inngest,
  functions: [crash, ...sampleFunctions(inngest)],
  log,
  now,
  slots: 8,
}).start();
process.stdout.write("ready\n");

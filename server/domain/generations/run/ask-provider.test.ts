import { setTimeout as delay } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { openFileHub } from "../../../../test/file-hub";
import { openBrokenStorage } from "../../../../test/broken-s3";
import { openDb } from "../../../db/client";
import type { Hub } from "../../hub";
import { ApiError } from "../../../providers/http/call-api";
import type { Provider } from "../../../providers/provider";
import { markRunning } from "./mark-running";
import { runAttempt } from "./run-attempt";

const SUBMIT_MS = 50;
const brokenStorage = await openBrokenStorage(null);
const away = openDb("postgresql://postgres@127.0.0.1:9/away", 2);
afterAll(() => away.close());

/** Opens a hub with a running generation whose input is a picture. */
async function startWithPicture() {
  const { hub, newAccount, output, queue } = await openFileHub();
  const account = await newAccount();
  const file = await output(account, "\x89PNG\r\n\x1a\npicture");
  const generationId = await queue(account, {
    prompt: "a tree",
    image_input: [`https://hub.example/base/api/v1/hub/files/${file}`],
  });
  const run = { generationId, runId: "a" };
  await markRunning(hub, run);
  return { hub, run };
}

const untilAborted = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason as Error));
  });

test("a job whose upload to the provider breaks off has not started", async () => {
  const { hub, run } = await startWithPicture();
  hub.providers = {
    sandbox: {
      inputModes: ["upload"],
      upload: () => Promise.reject(new ApiError("unknown", "The connection to the provider broke.")),
      submit: () => Promise.reject(new Error("the job was submitted")),
    },
  };
  expect(await runAttempt(hub, run, 1)).toEqual({ next: "attempt", pauseSeconds: 1 });
  const attempts = await hub.db.query("SELECT outcome, cause FROM attempt WHERE generation_id = $1", [
    run.generationId,
  ]);
  expect(attempts).toEqual([{ outcome: "refused", cause: "outage" }]);
});

test.each<[string, Provider]>([
  [
    "is uploaded until the time of the submit is over",
    { inputModes: ["upload"], upload: (_file, _route, { signal }) => untilAborted(signal) },
  ],
  ["is ready too late", { inputModes: ["upload"], upload: () => delay(2 * SUBMIT_MS, "uploaded") }],
])("a job whose file %s has not started", async (_, provider) => {
  const { hub, run } = await startWithPicture();
  let submits = 0;
  const submit: Provider["submit"] = () => Promise.reject(new Error(`submitted ${(submits += 1)} times`));
  hub.providers = { sandbox: { submitTimeoutMs: SUBMIT_MS, submit, ...provider } };
  expect(await runAttempt(hub, run, 1)).toEqual({ next: "attempt", pauseSeconds: 1 });
  expect(submits).toBe(0);
  const attempts = await hub.db.query("SELECT outcome, cost FROM attempt WHERE generation_id = $1", [run.generationId]);
  expect(attempts).toEqual([{ outcome: "failed", cost: 0n }]);
});

test("progress of a job that is too small for Postgres is stored as 0", async () => {
  const { hub, run } = await startWithPicture();
  const progress = Number.MIN_VALUE;
  hub.providers = {
    sandbox: { submit: () => Promise.resolve({ state: "pending", upstreamId: "job", progress, pollAfterSeconds: 1 }) },
  };
  expect(await runAttempt(hub, run, 1)).toMatchObject({ next: "poll" });
  const generations = await hub.db.query("SELECT progress FROM generation WHERE id = $1", [run.generationId]);
  expect(generations).toEqual([{ progress: 0 }]);
});

test.each<[string, (hub: Hub) => void]>([
  ["storage", (hub) => void (hub.storage = brokenStorage)],
  [
    "database",
    (hub) => {
      const { db } = hub;
      hub.db = {
        ...db,
        query: (text, ...rest) => (text.includes("FROM file f WHERE f.id") ? away : db).query(text, ...rest),
      };
    },
  ],
])("a job whose file the %s does not return for now has not started", async (_, breakDown) => {
  const { hub, run } = await startWithPicture();
  hub.providers = {
    sandbox: { inputModes: ["inline"], submit: () => Promise.reject(new Error("the job was submitted")) },
  };
  breakDown(hub);
  expect(await runAttempt(hub, run, 1)).toEqual({ next: "attempt", pauseSeconds: 1 });
  const attempts = await hub.db.query("SELECT outcome, cost FROM attempt WHERE generation_id = $1", [run.generationId]);
  expect(attempts).toEqual([{ outcome: "failed", cost: 0n }]);
});

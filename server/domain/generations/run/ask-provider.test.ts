import { expect, test } from "vitest";
import { openFileHub } from "../../../../test/file-hub";
import { ApiError } from "../../../providers/http/call-api";
import { markRunning } from "./mark-running";
import { runAttempt } from "./run-attempt";

test("a job whose upload to the provider breaks off has not started", async () => {
  const { hub, newAccount, output, queue } = await openFileHub();
  const account = await newAccount();
  const file = await output(account, "\x89PNG\r\n\x1a\npicture");
  hub.providers = {
    sandbox: {
      inputModes: ["upload"],
      upload: () => Promise.reject(new ApiError("unknown", "The connection to the provider broke.")),
      submit: () => Promise.reject(new Error("the job was submitted")),
    },
  };
  const generationId = await queue(account, {
    prompt: "a tree",
    image_input: [`https://hub.example/base/api/v1/hub/files/${file}`],
  });
  const run = { generationId, runId: "a" };
  await markRunning(hub, run);
  expect(await runAttempt(hub, run, 1)).toEqual({ next: "attempt", pauseSeconds: 1 });
  const attempts = await hub.db.query("SELECT outcome, cause FROM attempt WHERE generation_id = $1", [generationId]);
  expect(attempts).toEqual([{ outcome: "refused", cause: "outage" }]);
});

import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { queuedGeneration } from "../../../../test/generation-fixture";
import { testHub } from "../../../../test/hub";
import type { JobState, ProviderOutput } from "../../../providers/job";
import type { Provider } from "../../../providers/provider";
import { openDb } from "../../../db/client";
import { ApiError } from "../../../providers/http/call-api";
import { ProviderError } from "../../../providers/provider-error";
import { runAudit } from "../../audit/audit";
import { createAccount } from "../../people/create-account";
import { creditAccount } from "../../ledger/credit";
import { finishGeneration } from "../end/finish";
import { requestCancel } from "../end/stop-running";
import { endRun } from "./end-run";
import { failTimedOut } from "./fail-timed-out";
import { runAttempt } from "./run-attempt";
import { insertWithHold } from "../intake/insert-with-hold";
import { holdClaim, renewClaim, type Run } from "../attempts/claim";
import { markRunning } from "./mark-running";
import { redispatchLapsed } from "../queue/redispatch";

const HOUR_S = 3_600;
let accounts = 0;

/** A provider's server that counts its requests and sends the responses that the test sets. */
function createProvider() {
  const requests: string[] = [];
  const responses: { submit: () => Promise<JobState>; later: () => Promise<JobState | "unknown"> } = {
    submit: () => Promise.resolve(pending),
    later: () => Promise.resolve(pending),
  };
  const respond = (operation: string, kind: "submit" | "later") => {
    requests.push(operation);
    return responses[kind]();
  };
  const provider: Provider = {
    submit: () => respond("submit", "submit") as Promise<JobState>,
    poll: () => respond("poll", "later") as Promise<JobState>,
    recover: () => respond("recover", "later"),
  };
  return { provider, requests, responses };
}

const pending: JobState = { state: "pending", upstreamId: "job-1", progress: 0.2, pollAfterSeconds: 2 };
const refused: JobState = {
  state: "failed",
  started: "no",
  cause: "outage",
  error: { code: "provider_refused", message: "The provider cannot be reached.", retryable: true },
};
const PNG = Buffer.from("\x89PNG\r\n\x1a\npicture", "latin1");
const output: ProviderOutput = {
  mediaType: "image/png",
  read: (store) =>
    store(
      (async function* () {
        yield PNG;
      })(),
    ),
};
const succeeded = (): JobState => ({ state: "succeeded", outputs: [output] });
const never = () => Promise.reject(new Error("the connection was reset"));

const hub = await testHub();
/** The generation of the current test. */
let latest = "";

async function suite(timeout_seconds = 60) {
  const { provider, requests, responses } = createProvider();
  hub.providers = { sandbox: provider };
  const account = await createAccount(hub, { email: `claims-${(accounts += 1)}@example.org` });
  await creditAccount(hub, account, { amount: 1_000n });
  const generation = { ...queuedGeneration(account, 10n), created_at: hub.now(), timeout_seconds };
  await insertWithHold(hub, generation);
  const { id } = generation;
  latest = id;
  const run = (runId: string): Run => ({ generationId: id, runId });
  const row = async () => (await hub.db.query<Row>("SELECT * FROM generation WHERE id = $1", [id]))[0]!;
  const attempts = () => hub.db.query("SELECT n, outcome, upstream_id FROM attempt WHERE generation_id = $1", [id]);
  return { account, id, run, row, attempts, requests, responses, provider };
}

interface Row {
  status: string;
  run_id: string;
  started_at: Date;
  deadline_at: Date;
  claim_expires_at: Date;
  error: { code: string } | null;
}

/** Returns the whole seconds between two times. */
const seconds = (from: Date, to: Date) => Math.round((to.getTime() - from.getTime()) / 1000);
const dispatched = () => hub.published.splice(0).map(({ name, data }) => [name, (data as { id: string }).id]);

afterEach(async () => {
  vi.useRealTimers();
  // Ends the generation, which the sweeps of later tests would find.
  await finishGeneration(hub, { id: latest, from: ["queued", "running"], to: "canceled" });
  hub.published.length = 0;
});

test("a running generation whose claim has expired is dispatched again and taken over, and stays running", async () => {
  const { account, id, run, row, attempts } = await suite();
  await hub.db.query("UPDATE account SET follows_events = true WHERE id = $1", [account]);
  expect(await markRunning(hub, run("a"))).toBe("running");
  expect(await runAttempt(hub, run("a"), 1)).toMatchObject({ next: "poll" });
  const before = await row();
  hub.clock.advance(31_000);
  expect(await redispatchLapsed(hub)).toBe(0);
  expect(await markRunning(hub, run("b"))).toBe("not_queued");

  hub.clock.advance(20_000);
  dispatched();
  expect(await redispatchLapsed(hub)).toBe(1);
  expect(dispatched()).toEqual([["generation/queued", id]]);
  expect(await redispatchLapsed(hub)).toBe(0);
  expect(await markRunning(hub, run("b"))).toBe("running");
  const after = await row();
  // The first run had announced a pause of 2 of the 51 seconds.
  expect(after).toMatchObject({ status: "running", run_id: "b", started_at: before.started_at });
  expect(seconds(before.deadline_at, after.deadline_at)).toBe(49);
  expect(await runAttempt(hub, run("b"), 1)).toMatchObject({ next: "poll" });
  expect(await attempts()).toEqual([{ n: 1, outcome: null, upstream_id: "job-1" }]);
  expect(await hub.db.query("SELECT running FROM account WHERE id = $1", [account])).toEqual([{ running: 1 }]);
  const events = await hub.db.query("SELECT name FROM event WHERE generation_id = $1", [id]);
  expect(events).toEqual([{ name: "generation.running" }]);
});

test("a run that was replaced cannot change the generation", async () => {
  const { run, row, attempts, requests } = await suite();
  await markRunning(hub, run("a"));
  await runAttempt(hub, run("a"), 1);
  hub.clock.advance(40_000);
  expect(await markRunning(hub, run("b"))).toBe("running");
  const before = await row();
  requests.length = 0;
  expect(await runAttempt(hub, run("a"), 1)).toEqual({ next: "stop" });
  expect(await runAttempt(hub, run("a"), 2)).toEqual({ next: "stop" });
  expect(await markRunning(hub, run("a"))).toBe("not_queued");
  const ending = { to: "succeeded" as const, outputs: 0 };
  // In one batch with the run that holds the claim, only that run's ending is applied.
  const [late, ownRun] = await Promise.all([endRun(hub, run("a"), ending), endRun(hub, run("b"), ending)]);
  expect(late).toMatchObject({ status: "superseded", cost: null });
  expect(ownRun).toMatchObject({ status: "succeeded", cost: "0.00000001" });
  expect(requests).toEqual([]);
  expect((await row()).run_id).toBe(before.run_id);
  expect(await attempts()).toMatchObject([{ n: 1, outcome: "lost" }]);
  expect((await runAudit(hub.db)).violations).toEqual([]);
});

test("the time without a run extends the deadline, by 24 hours in total at most", async () => {
  const { run, row } = await suite();
  await markRunning(hub, run("a"));
  const { started_at, deadline_at } = await row();
  hub.clock.advance(23 * HOUR_S * 1000);
  expect(await failTimedOut(hub)).toBe(0);
  expect(await markRunning(hub, run("b"))).toBe("running");
  expect(seconds(deadline_at, (await row()).deadline_at)).toBe(23 * HOUR_S);
  hub.clock.advance(3 * HOUR_S * 1000);
  expect(await failTimedOut(hub)).toBe(1);
  const lastPoll = await row();
  expect(lastPoll).toMatchObject({ status: "failed", error: { code: "timeout" } });
  expect(seconds(started_at, lastPoll.deadline_at)).toBe(24 * HOUR_S + 60);
});

test("a claim is renewed while a step runs, and a step that loses its claim is aborted", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const { run, row } = await suite();
  await markRunning(hub, run("a"));
  const expiry = async () => seconds(hub.now(), (await row()).claim_expires_at);
  const broken = holdClaim(hub, run("a"), (signal) => {
    return new Promise((_, reject) => signal.addEventListener("abort", () => reject(new Error("broken off"))));
  });
  hub.clock.advance(20_000);
  vi.advanceTimersByTime(10_000);
  await expect.poll(expiry).toBe(30);
  hub.clock.advance(31_000);
  expect(await markRunning(hub, run("b"))).toBe("running");
  vi.advanceTimersByTime(10_000);
  expect(await broken).toBeNull();
  expect(await row()).toMatchObject({ run_id: "b" });
});

test("an interrupted submit is recovered by the generation's id and never repeated", async () => {
  const { run, attempts, requests, responses } = await suite();
  responses.submit = never;
  await markRunning(hub, run("a"));
  await expect(runAttempt(hub, run("a"), 1)).rejects.toThrow("reset");
  expect(await runAttempt(hub, run("a"), 1)).toMatchObject({ next: "poll", pollAfterSeconds: 2 });
  expect(await runAttempt(hub, run("a"), 1)).toMatchObject({ next: "poll" });
  expect(requests).toEqual(["submit", "recover", "poll"]);
  expect(await attempts()).toEqual([{ n: 1, outcome: null, upstream_id: "job-1" }]);
});

test.each<[string, JobState, object]>([
  ["that has begun keeps its id", pending, { outcome: null, upstream_id: "job-1" }],
  ["that was refused is closed as such", refused, { outcome: "refused", upstream_id: null }],
])("a job %s, although the database is away when its provider responds", async (_, response, stored) => {
  const { run, attempts, requests, responses, provider } = await suite();
  delete provider.recover;
  responses.submit = () => Promise.resolve(response);
  await markRunning(hub, run("a"));
  const { db } = hub;
  const away = openDb("postgresql://postgres@127.0.0.1:9/away", 2);
  let failures = 0;
  const isRefused = (text: string) => failures === 0 && text.includes("UPDATE attempt") && (failures += 1) > 0;
  hub.db = { ...db, query: (text, ...rest) => (isRefused(text) ? away : db).query(text, ...rest) };
  try {
    expect((await runAttempt(hub, run("a"), 1)).next).toBe(response === pending ? "poll" : "attempt");
  } finally {
    hub.db = db;
    await away.close();
  }
  expect(failures).toBe(1);
  expect(await attempts()).toEqual([{ n: 1, ...stored }]);
  expect(requests).toEqual(["submit"]);
});

test("a submit with an unknown result is lost once it can no longer be running", async () => {
  const { account, run, row, attempts, requests, responses } = await suite(300);
  responses.submit = never;
  responses.later = () => Promise.resolve("unknown");
  await markRunning(hub, run("a"));
  await expect(runAttempt(hub, run("a"), 1)).rejects.toThrow("reset");
  expect(await runAttempt(hub, run("a"), 1)).toMatchObject({ next: "poll" });
  hub.clock.advance(60_000);
  const action = await runAttempt(hub, run("a"), 1);
  expect(action).toMatchObject({ next: "fail", error: { code: "provider_error" }, attempt: { outcome: "lost" } });
  const { error, attempt } = action as Extract<typeof action, { next: "fail" }>;
  await endRun(hub, run("a"), { to: "failed", error, attempt });
  expect(requests.filter((operation) => operation === "submit")).toHaveLength(1);
  expect((await row()).status).toBe("failed");
  expect(await attempts()).toEqual([{ n: 1, outcome: "lost", upstream_id: null }]);
  const [paid] = await hub.db.query("SELECT balance, reserved FROM account WHERE id = $1", [account]);
  expect(paid).toEqual({ balance: 1_000n, reserved: 0n });
});

test("work whose result cannot be used has failed, and is not polled again", async () => {
  const { run, attempts, requests, responses } = await suite();
  await markRunning(hub, run("a"));
  await runAttempt(hub, run("a"), 1);
  const failure = { code: "invalid_output", message: "The output is at a foreign address.", retryable: false } as const;
  responses.later = () => Promise.reject(new ProviderError(failure));
  const action = await runAttempt(hub, run("a"), 1);
  expect(action).toMatchObject({ next: "fail", error: failure, attempt: { outcome: "failed", cause: "job" } });
  const { error, attempt } = action as Extract<typeof action, { next: "fail" }>;
  await endRun(hub, run("a"), { to: "failed", error, attempt });
  expect(requests).toEqual(["submit", "poll"]);
  expect(await attempts()).toEqual([{ n: 1, outcome: "failed", upstream_id: "job-1" }]);
});

test.each([
  ["before the deadline", 0, "provider_error"],
  ["at the deadline", 300_000, "timeout"],
])("a job that its provider says is lost is not waited for, asked %s", async (_, afterMs, code) => {
  const { run, requests, responses } = await suite(300);
  const error = { code: "provider_error" as const, message: "Nobody knows.", retryable: true };
  const unknown: JobState = { state: "failed", started: "unknown", cause: "outage", error };
  responses.submit = () => Promise.resolve(unknown);
  responses.later = responses.submit;
  await markRunning(hub, run("a"));
  expect(await runAttempt(hub, run("a"), 1)).toMatchObject({ next: "poll", pollAfterSeconds: 1 });
  // In steps shorter than a claim, so that the deadline stays where it is.
  for (let ms = 0; ms < afterMs; ms += 20_000) {
    hub.clock.advance(20_000);
    expect(await renewClaim(hub, run("a"))).toBe(true);
  }
  const action = await runAttempt(hub, run("a"), 1);
  expect(action).toMatchObject({ next: "fail", error: { code }, attempt: { outcome: "lost" } });
  expect(requests).toEqual(["submit", "recover"]);
});

test.each([
  ["a new job", 0, undefined, 3],
  ["a job that has run for minutes", 180, undefined, 15],
  ["a job of a provider that asks for a longer pause", 0, 40, 40],
  ["a job of a provider that asks for an hour", 0, 3_600, 60],
])(
  "%s is polled later while it cannot be read, and stays claimed until then",
  async (_, ageSeconds, retryAfter, pause) => {
    const { run, row, responses } = await suite(600);
    onTestFinished(hub.clock.freeze());
    await markRunning(hub, run("a"));
    await runAttempt(hub, run("a"), 1);
    for (let age = 0; age < ageSeconds; age += 20) {
      hub.clock.advance(20_000);
      await renewClaim(hub, run("a"));
    }
    responses.later = () => Promise.reject(new ApiError("unknown", "throttled", false, retryAfter));
    expect(await runAttempt(hub, run("a"), 1)).toMatchObject({ next: "poll", pollAfterSeconds: pause });
    expect(seconds(hub.now(), (await row()).claim_expires_at)).toBeGreaterThan(pause);
  },
);

test("two concurrent calls of one step submit once", async () => {
  const { run, requests } = await suite();
  await markRunning(hub, run("a"));
  await Promise.all(Array.from({ length: 8 }, () => runAttempt(hub, run("a"), 1)));
  expect(requests.filter((operation) => operation === "submit")).toHaveLength(1);
});

test.each([
  ["has ended well", () => Promise.resolve(succeeded()), "succeed"],
  ["still works on it", () => Promise.resolve(pending), "timeout"],
  ["does not answer", never, "timeout"],
])("fails at the deadline only after one last poll of a provider that %s", async (_, respondLater, expected) => {
  const { run, requests, responses } = await suite();
  await markRunning(hub, run("a"));
  await runAttempt(hub, run("a"), 1);
  responses.later = respondLater;
  for (let second = 0; second < 60; second += 20) {
    hub.clock.advance(20_000);
    expect(await renewClaim(hub, run("a"))).toBe(true);
  }
  requests.length = 0;
  const action = await runAttempt(hub, run("a"), 1);
  expect(action.next === "fail" ? action.error.code : action.next).toBe(expected);
  expect(requests).toEqual(["poll"]);
});

test.each([
  ["has ended well", () => Promise.resolve(succeeded()), "succeeded"],
  ["still works on it", () => Promise.resolve(pending), "timeout"],
])("without an engine, the sweep ends overdue generations of a provider that %s", async (_, respondLater, expected) => {
  const { account, run, row, responses } = await suite();
  await markRunning(hub, run("a"));
  await runAttempt(hub, run("a"), 1);
  responses.later = respondLater;
  hub.clock.advance(24 * HOUR_S * 1000);
  expect(await failTimedOut(hub)).toBe(0);
  hub.clock.advance(91_000);
  expect(await failTimedOut(hub)).toBe(1);
  const { status, error } = await row();
  expect(error?.code ?? status).toBe(expected);
  const [slots] = await hub.db.query("SELECT running, reserved FROM account WHERE id = $1", [account]);
  expect(slots).toEqual({ running: 0, reserved: 0n });
  expect((await runAudit(hub.db)).violations).toEqual([]);
});

test("a job that its provider never stops is asked about soon, and fails at its deadline without a charge", async () => {
  const { id, run, row, provider } = await suite();
  provider.cancel = () => Promise.reject(new ApiError("unknown", "silent"));
  await markRunning(hub, run("a"));
  await runAttempt(hub, run("a"), 1);
  await requestCancel(hub, id);
  expect(await runAttempt(hub, run("a"), 1)).toMatchObject({ next: "poll", pollAfterSeconds: 1, callsBack: true });
  while (hub.now() < (await row()).deadline_at) {
    hub.clock.advance(20_000);
    await renewClaim(hub, run("a"));
  }
  const action = await runAttempt(hub, run("a"), 1);
  expect(action).toMatchObject({ next: "fail", error: { code: "timeout" } });
  await endRun(hub, run("a"), { to: "failed", error: (action as Extract<typeof action, { next: "fail" }>).error });
  expect(await row()).toMatchObject({ status: "failed", billed_cost: 0n });
});

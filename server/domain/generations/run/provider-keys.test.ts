import { expect, test } from "vitest";
import { testHub } from "../../../../test/hub";
import {
  createPayer,
  createUpstream,
  listStoredAttempts,
  queueRouted,
  refusedBecause,
  routedCatalogue,
  type RouteOptions,
} from "../../../../test/routed-hub";
import { parseCatalogue } from "../../../catalogue/parse";
import { applyCatalogue } from "../../../catalogue/apply";
import type { Job } from "../../../providers/job";
import { runAudit } from "../../audit/audit";
import { beginRun } from "./advance-run";
import { endRun } from "./end-run";
import { isEnding, toEnding } from "./next-action";
import { runAttempt } from "./run-attempt";

const hub = await testHub({ EUR_PER_USD: "1", RUNNING_PER_ACCOUNT: "1000" });
const upstream = createUpstream();
hub.providers = { replicate: upstream.provider };
const account = await createPayer(hub);

const keyed = (variable: string, limits: RouteOptions["limits"] = {}, maker = "maker"): RouteOptions => ({
  provider: `${maker}@${variable}`,
  entry: 0,
  limits: { catalogueId: maker, keyVariable: variable, apiKey: `secret of ${variable}`, ...limits },
});
const single = (variable: string): RouteOptions => ({
  provider: "maker",
  limits: { keyVariable: variable, apiKey: `secret of ${variable}` },
});
const use = (...routes: RouteOptions[]) => void (hub.catalogue = routedCatalogue(routes));

async function submit(): Promise<string> {
  const id = await queueRouted(hub, account);
  expect(await beginRun(hub, { generationId: id, runId: "run" })).toBe("running");
  expect(await step(id)).toMatchObject({ next: "poll" });
  return id;
}
const step = (id: string, n = 1) => runAttempt(hub, { generationId: id, runId: "run" }, n);

/** Polls a job and returns the key that it was polled with. */
async function pollKey(id: string): Promise<string | null> {
  const polled: Job[] = [];
  const { respondToPoll } = upstream;
  upstream.respondToPoll = (job) => {
    polled.push(job);
    return respondToPoll(job);
  };
  await step(id).finally(() => (upstream.respondToPoll = respondToPoll));
  expect(polled).toHaveLength(1);
  return polled[0]!.route.provider.apiKey;
}

test("a job stays with the key that submitted it, however the list of keys changes", async () => {
  use(single("A"));
  const id = await submit();
  const polls: [RouteOptions[], string][] = [
    [[keyed("B"), keyed("A")], "secret of A"],
    [[keyed("C"), keyed("A", { isRetired: true }), keyed("B")], "secret of A"],
    [[single("A")], "secret of A"],
    // One key before and after: its variable may change.
    [[single("D")], "secret of D"],
  ];
  for (const [routes, key] of polls) {
    use(...routes);
    expect(await pollKey(id)).toBe(key);
  }
  use(keyed("A"));
  const several = await submit();
  use(single("A"));
  expect(await pollKey(several)).toBe("secret of A");
  use(keyed("B"));
  expect(await step(several)).toMatchObject({ next: "fail", attempt: { outcome: "lost" } });
});

test("a job whose key is gone waits for it within its time limit, and is lost and counted after it", async () => {
  use(keyed("A"), keyed("B"));
  const id = await submit();
  const used = upstream.submits.at(-1)!.route.provider.keyVariable!;
  use(
    keyed("A", used === "A" ? { missing: ["A"], apiKey: null } : {}),
    keyed("B", used === "B" ? { missing: ["B"], apiKey: null } : {}),
  );
  expect(await step(id)).toEqual({ next: "poll", pollAfterSeconds: 15, callsBack: false });
  use(keyed("A"), keyed("B"));
  expect(await pollKey(id)).toBe(`secret of ${used}`);

  use(keyed("A", { missing: ["A"] }), keyed("B", { missing: ["B"] }));
  const { lost } = await runAudit(hub.db);
  let action = await step(id);
  for (let waited = 0; waited <= 600 && action.next === "poll"; waited += 15) {
    hub.clock.advance(15_000);
    action = await step(id);
  }
  expect(action).toMatchObject({ next: "fail", error: { code: "provider_error" }, attempt: { outcome: "lost" } });
  await endRun(hub, { generationId: id, runId: "run" }, toEnding(isEnding(action) ? action : expect.fail()));
  const after = await runAudit(hub.db);
  expect([after.lost, after.violations]).toEqual([lost + 1, []]);
});

test("a retired key gets no new work", async () => {
  use(keyed("A", { isRetired: true, keyWeight: 1000 }), keyed("B"));
  for (let n = 0; n < 8; n += 1) await submit();
  expect(upstream.submits.slice(-8).map(({ route }) => route.provider.keyVariable)).toEqual(Array(8).fill("B"));
});

test("a rejected key takes out itself alone, and the job goes to another", async () => {
  use(keyed("X"), keyed("Y"), keyed("Z"));
  upstream.respond = (job) =>
    job.route.provider.keyVariable === "X"
      ? refusedBecause("account", { upstreamStatus: 401 })
      : createUpstream().respond(job);
  const before = upstream.submits.length;
  for (let n = 0; n < 30; n += 1) {
    const id = await queueRouted(hub, account);
    await beginRun(hub, { generationId: id, runId: "run" });
    let action = await step(id);
    if (action.next === "attempt") action = await step(id, 2);
    expect(action).toMatchObject({ next: "poll" });
    expect((await listStoredAttempts(hub, id)).at(-1)!.route).toMatch(/^maker@[YZ]:m$/);
  }
  upstream.respond = createUpstream().respond;
  const keys = upstream.submits.slice(before).map(({ route }) => route.provider.keyVariable);
  expect(keys.filter((key) => key === "X")).toHaveLength(1);
  expect(new Set(keys)).toEqual(new Set(["X", "Y", "Z"]));
  expect(hub.services.routeHealth.check("maker@X:m", "")).toHaveProperty("waitSeconds");
  expect(hub.services.routeHealth.check("maker@Y:m", "")).toBe("usable");
});

test("an input that the provider rejects is not sent again with another of its keys", async () => {
  use(keyed("P"), keyed("Q"), { provider: "other", entry: 1 });
  upstream.respond = (job) =>
    job.route.provider.id === "other" ? createUpstream().respond(job) : refusedBecause("job", { upstreamStatus: 422 });
  const id = await queueRouted(hub, account);
  await beginRun(hub, { generationId: id, runId: "run" });
  expect(await step(id)).toEqual({ next: "attempt", pauseSeconds: 0 });
  expect(await step(id, 2)).toMatchObject({ next: "poll" });
  upstream.respond = createUpstream().respond;
  expect((await listStoredAttempts(hub, id)).map(({ route }) => route.split("@")[0])).toEqual(["maker", "other:m"]);
});

const catalogueWithKeys = (...keys: string[]) => `providers:
  - id: kept
    kind: replicate
    api_keys: [${keys.join(", ")}]
`;

test("a catalogue without a key that jobs run with is not applied, unless the key is retired", async () => {
  use(keyed("REPLICATE_A", {}, "kept"));
  await submit();
  await submit();
  const apply = (text: string) => applyCatalogue(hub.db, text, { now: hub.now(), env: hub.env, file: "keys.yaml" });
  await expect(apply(catalogueWithKeys('"\${REPLICATE_B}"'))).rejects.toThrow(
    'keys.yaml:4: providers[0].api_keys: lacks the key ${REPLICATE_A}, with which 2 jobs run: list { key: "${REPLICATE_A}", retired: true } until they have ended',
  );
  const retired = '{ key: "\${REPLICATE_A}", retired: true }';
  expect(await apply(catalogueWithKeys('"\${REPLICATE_B}"', retired))).toBeGreaterThan(0);
  // Other providers, and none, are not affected.
  expect(await apply("models: []")).toBeGreaterThan(0);
  expect(parseCatalogue(catalogueWithKeys(retired), { file: "t", variables: {} }).providers.at(-1)!.isRetired).toBe(
    true,
  );
});

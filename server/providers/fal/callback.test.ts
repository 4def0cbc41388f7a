import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openDouble } from "../../../test/providers/double";
import { type FalDouble, type FalJob, openFalDouble } from "../../../test/providers/fal/double";
import type { SignedWebhook } from "../../../test/providers/fal/webhooks";
import { buildIo, buildJob, buildProvider } from "../../../test/providers/job";
import type { Job } from "../job";
import type { CallbackTarget, ProviderIo } from "../provider";
import { fal } from "./fal";

let double: FalDouble;
let job: Job;
beforeEach(async () => {
  double = await openFalDouble();
  const provider = buildProvider("fal", double.url);
  job = buildJob(
    provider,
    "fal-ai/flux/schnell",
    { prompt: "a tree" },
    { callbackUrl: "https://hub.example/callback" },
  );
});
afterEach(() => double.close());

async function submitJob(): Promise<{ upstreamId: string; atFal: FalJob }> {
  const state = await fal.submit(job, buildIo());
  if (state.state !== "pending") throw new Error(`the job is ${JSON.stringify(state)}`);
  return { upstreamId: state.upstreamId, atFal: [...double.jobs.values()].at(-1)! };
}

const report = (webhook: SignedWebhook, upstreamId: string | null, io: ProviderIo = buildIo()) => {
  const target: CallbackTarget = { attemptId: job.attemptId, upstreamId, route: job.route };
  return fal.callback({ headers: new Headers(webhook.headers), body: webhook.body }, target, io);
};
const unauthorized = { code: "unauthorized" };
const countKeyRequests = () => double.requests.filter(({ url }) => url.pathname.endsWith("/jwks.json")).length;

describe("a callback", () => {
  test("of the attempt's own job is accepted, as often as it comes", async () => {
    const { upstreamId, atFal } = await submitJob();
    const webhook = double.signWebhook(atFal);
    expect(await report(webhook, upstreamId)).toEqual({});
    expect(await report(webhook, upstreamId)).toEqual({});
    expect(countKeyRequests()).toBe(1);
  });

  test.each(["reset after", "500 after", "half of the JSON"] as const)(
    "finds the job of a submit that ended without an answer: %s",
    async (fault) => {
      double.failNextSubmits(fault);
      expect(await fal.submit(job, buildIo())).toMatchObject({ started: "unknown" });
      const [atFal] = double.jobs.values();
      const { upstreamId } = await report(double.signWebhook(atFal!), null);
      atFal!.polls = 3;
      expect(await fal.poll(job, upstreamId!, buildIo())).toMatchObject({ state: "succeeded" });
      expect(double.accepted).toHaveLength(1);
    },
  );

  test("that comes before the submit's response brings the id", async () => {
    const { atFal } = await submitJob();
    expect(await report(double.signWebhook(atFal), null)).toEqual({
      upstreamId: JSON.stringify({ request_id: atFal.id }),
    });
  });

  test("reaches the URL that the submit named", async () => {
    const received: SignedWebhook[] = [];
    const receiver = await openDouble({
      isSubmit: () => false,
      describeError: () => ({}),
      respond: ({ headers, body }) => {
        received.push({ headers: headers as Record<string, string>, body });
        return { status: 204 };
      },
    });
    job = { ...job, callbackUrl: `${receiver.url}/callback?token=a%2Fb` };
    const { upstreamId, atFal } = await submitJob();
    expect(await double.sendWebhook(atFal)).toBe(204);
    expect(await report(received[0]!, upstreamId)).toEqual({});
    await receiver.close();
  });

  test("about another job is rejected, although fal has signed it", async () => {
    const { upstreamId } = await submitJob();
    const { atFal: other } = await submitJob();
    await expect(report(double.signWebhook(other), upstreamId)).rejects.toMatchObject(unauthorized);
  });

  test.each<[string, (webhook: SignedWebhook) => SignedWebhook]>([
    ["without headers", ({ body }) => ({ headers: {}, body })],
    ["with another body", ({ headers }) => ({ headers, body: Buffer.from('{"request_id":"1"}') })],
    [
      "with another user",
      ({ headers, body }) => ({ headers: { ...headers, "x-fal-webhook-user-id": "user-2" }, body }),
    ],
    ["with no user", ({ headers, body }) => ({ headers: { ...headers, "x-fal-webhook-user-id": "" }, body })],
    [
      "with a later time",
      ({ headers, body }) => ({ headers: { ...headers, "x-fal-webhook-timestamp": later() }, body }),
    ],
    [
      "with a time in words",
      ({ headers, body }) => ({ headers: { ...headers, "x-fal-webhook-timestamp": "now" }, body }),
    ],
    [
      "with half a signature",
      ({ headers, body }) => ({ headers: { ...headers, "x-fal-webhook-signature": "ab" }, body }),
    ],
    ["signed by somebody else", ({ headers, body }) => ({ headers: { ...headers, ...signElsewhere() }, body })],
  ])("%s is rejected", async (_, forge) => {
    const { upstreamId, atFal } = await submitJob();
    await expect(report(forge(double.signWebhook(atFal)), upstreamId)).rejects.toMatchObject(unauthorized);
  });
  const later = () => String(Math.floor(Date.now() / 1000) + 1);
  const signElsewhere = () => ({ "x-fal-webhook-signature": "ab".repeat(64) });

  test.each([
    [-301, false],
    [-299, true],
    [299, true],
    [301, false],
  ])("signed %i seconds from now counts: %s", async (seconds, isAccepted) => {
    const { upstreamId, atFal } = await submitJob();
    const now = new Date("2026-11-22T12:00:00Z");
    const webhook = double.signWebhook(atFal, new Date(now.getTime() + seconds * 1000));
    const reported = report(webhook, upstreamId, { ...buildIo(), now: () => now }).then(
      () => true,
      () => false,
    );
    expect(await reported).toBe(isAccepted);
  });
});

describe("the signing keys", () => {
  const minutesLater = (minutes: number): ProviderIo => {
    const now = new Date(Date.now() + minutes * 60_000);
    return { ...buildIo(), now: () => now };
  };
  const reportAt = async (minutes: number, webhook: { upstreamId: string; atFal: FalJob }) => {
    const io = minutesLater(minutes);
    return report(double.signWebhook(webhook.atFal, io.now()), webhook.upstreamId, io);
  };

  test("are fetched again when a new one signs, at most once a minute", async () => {
    const submitted = await submitJob();
    await reportAt(0, submitted);
    double.rotateKey();
    await expect(reportAt(0.5, submitted)).rejects.toMatchObject(unauthorized);
    expect(countKeyRequests()).toBe(1);
    expect(await reportAt(2, submitted)).toEqual({});
    expect(countKeyRequests()).toBe(2);
  });

  test("are fetched again after a day, and not before", async () => {
    const submitted = await submitJob();
    for (const hours of [0, 23, 25, 26]) await reportAt(hours * 60, submitted);
    expect(countKeyRequests()).toBe(2);
  });

  test("are fetched once for callbacks that come together", async () => {
    const submitted = await submitJob();
    await Promise.all(Array.from({ length: 20 }, () => reportAt(0, submitted)));
    expect(countKeyRequests()).toBe(1);
  });

  test("that cannot be fetched make fal call back again", async () => {
    const submitted = await submitJob();
    const webhook = double.signWebhook(submitted.atFal);
    const { url, close } = await openFalDouble();
    await close();
    const away = { ...job.route, provider: buildProvider("fal", url) };
    const target = { attemptId: job.attemptId, upstreamId: submitted.upstreamId, route: away };
    const request = { headers: new Headers(webhook.headers), body: webhook.body };
    await expect(fal.callback(request, target, buildIo())).rejects.toMatchObject({ code: "service_unavailable" });
  });
});

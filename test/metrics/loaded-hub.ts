import { afterAll, expect, vi } from "vitest";
import { recordAudit } from "../../server/domain/audit/record-audit";
import { requeueExpiredLeases } from "../../server/domain/generations/run/requeue";
import { rollUpMoney } from "../../server/domain/operations/money";
import { recordPayment } from "../../server/domain/payment-records/record-payment";
import { signIn } from "../../server/domain/sessions/sign-in";
import { createEndpoint } from "../../server/domain/endpoints/create";
import { offerChatModel } from "./offer-chat-model";
import { openMetrics } from "../../server/process/metrics";
import { callApi } from "../api/call";
import { newCustomer } from "../api/customer";
import { type Host, openRunningHost } from "../api/hosts";
import { openUpstream, respondWith } from "../chat/upstream";
import { testOperator } from "../operator";
import { openReceiver } from "../webhooks/receiver";
import { WAIT } from "../wait";
import { addGpuModels, newWorker } from "../workers/test-workers";

const JOBS = "/api/v1/hub/generations";
const CHAT = "/api/v1/hub/chat/completions";
const image = { model: "sandbox-image", input: { prompt: "a lighthouse at dusk" } };

export interface LoadedHub extends Host {
  /** The port of the loopback address that serves `/metrics`. */
  metricsPort: number;
  scrape: () => Promise<string>;
  /** Sends requests of every kind, and waits until they have ended. */
  sendLoad: () => Promise<void>;
}

/** Opens a hub with the job engine, a provider of chats that sometimes fails, a worker and a webhook. */
export async function openLoadedHub(): Promise<LoadedHub> {
  const [receiver, upstream] = await Promise.all([openReceiver(), openUpstream()]);
  const host = await openRunningHost({ OUTBOUND_ALLOW_HOSTS: receiver.host });
  const { hub } = host;
  addGpuModels(hub);
  offerChatModel(hub, upstream.url);
  const customer = await newCustomer(hub, { credit: 1_000 });
  const { key } = customer;
  const account = { id: customer.account, email: customer.email, member: false, balance: 0n, reserved: 0n };
  const ctx = { hub, account, actor: { kind: "user" as const }, requestId: "test" };
  await createEndpoint(ctx, { url: receiver.url, events: ["generation.completed"] });
  const metrics = await openMetrics(hub, 0);
  afterAll(async () => {
    await metrics.close();
    await upstream.close();
  });
  const worker = await newWorker(hub);
  const post = (path: string, body: object, by = key) => callApi(host, "POST", path, { key: by, body });

  const runWorker = async (end: "fail" | "expire" | "keep") => {
    await post(JOBS, { model: "gpu-a", input: { note: "x" } });
    const { body } = await post("/api/v1/worker/claim", { models: ["gpu-a"] }, worker.token);
    const { id, fence } = body.lease as { id: string; fence: number };
    if (end === "keep") return;
    if (end === "fail")
      await post(
        `/api/v1/worker/leases/${id}/fail`,
        { fence, gpu_ms: 5, code: "provider_error", message: "Broke.", retryable: false },
        worker.token,
      );
    else {
      await hub.db.query(
        "UPDATE generation SET lease_expires_at = leased_at + interval '1 ms' WHERE status = 'running' AND provider = 'worker'",
      );
      await requeueExpiredLeases(hub);
    }
  };
  const sendLoad = async () => {
    const generation = await post(JOBS, image);
    await post(CHAT, { model: "talk", messages: [{ role: "user", content: "Hello" }] });
    upstream.respondNext(respondWith(429, {}));
    await post(CHAT, { model: "talk", messages: [{ role: "user", content: "Hello again" }] });
    await callApi(host, "GET", "/api/v1/me", { key });
    await callApi(host, "GET", "/api/v1/me", { key: "service_sk_wrong" });
    await callApi(host, "GET", `${JOBS}/nothing`, { key });
    await runWorker("fail");
    await runWorker("expire");
    await runWorker("keep");
    await signIn(hub, { email: customer.email, password: "wrong password" }, "192.0.2.9");
    const reference = `payment ${Math.random()}`;
    await recordPayment(hub, testOperator, { accountId: account.id, amount: 100, tax: 0, reference, note: null });
    await vi.waitFor(async () => {
      const { body } = await callApi(host, "GET", `${JOBS}/${generation.body.id as string}`, { key });
      expect([body.status, receiver.received.length > 0]).toEqual(["succeeded", true]);
    }, WAIT);
    await recordAudit(hub);
    await rollUpMoney(hub);
  };
  const scrape = async () => (await fetch(`http://127.0.0.1:${metrics.port}/metrics`)).text();
  return { ...host, metricsPort: metrics.port, scrape, sendLoad };
}

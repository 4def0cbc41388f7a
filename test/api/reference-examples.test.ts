import { expect, test } from "vitest";
import { type Operation, operations } from "../../app/(site)/docs/document";
import { exampleOfResponse } from "../../app/(site)/docs/example-of";
import { sampleRequest } from "../../app/(site)/docs/sample-request";
import type { SampleBody } from "../../app/code-samples/sample-request";
import { reportLive } from "../../server/domain/generations/live";
import { newProgram } from "../admin/program";
import { PNG } from "../providers/outputs";
import { openBucket } from "../s3";
import { sessionCookie } from "../session";
import { openReceiver } from "../webhooks/receiver";
import { newWorker } from "../workers/test-workers";
import { callApi, type Reply } from "./call";
import { type Customer, newCustomer } from "./customer";
import { formOf, formType } from "./form";
import { openOwnHost } from "./hosts";
import { expectPublished } from "./published";

// The example's receiver does not exist; this one is on loopback.
const RECEIVER = "https://example.com/hooks/hub";
const receiver = await openReceiver();
const bucket = await openBucket();
const host = await openOwnHost({ ...bucket.env, OUTBOUND_ALLOW_HOSTS: receiver.host });
const worker = await newWorker(host.hub);
const program = await newProgram(host.hub);
// The hash in the examples is that of this text.
const content = Buffer.from("abc");

const find = (operationId: string) => operations.find((one) => one.operationId === operationId)!;

/** Sends the example request of an operation, to the object with this id if its path names one. */
async function sendExample(customer: Customer, operation: Operation, id?: string): Promise<Reply> {
  const { method, path, headers, credential, body } = sampleRequest(operation);
  const place = operation.path.split("/").indexOf("{id}");
  const segments = path.split("/").map((segment, index) => (index === place && id ? id : segment));
  const sent = sentBody(body);
  const cookie: Record<string, string> =
    credential === "session" ? { cookie: await sessionCookie(host.hub, customer.account) } : {};
  // A stream ends only when what it follows does.
  const isStream = Object.values(operation.responses).some(({ content }) => content && "text/event-stream" in content);
  return callApi(host, isStream ? "HEAD" : method, segments.join("/"), {
    key: {
      key: customer.key,
      worker: worker.token,
      operator: program.token,
      session: undefined,
      none: undefined,
    }[credential ?? "none"],
    headers: { ...headers, ...cookie, ...sent.headers },
    body: sent.body,
  });
}

function sentBody(body: SampleBody | null): { headers?: Record<string, string>; body?: unknown } {
  if (body === null) return {};
  if (body.kind === "json") return { body: JSON.stringify(body.value).replace(RECEIVER, receiver.url) };
  if (body.kind === "form") return { headers: { "content-type": formType }, body: formOf(content) };
  return { headers: { "content-type": body.mediaType }, body: content };
}

const create = async (customer: Customer, operationId: string, id?: string): Promise<string> =>
  String((await sendExample(customer, find(operationId), id)).body.id);

async function claimLease(customer: Customer): Promise<string> {
  await startTraining(customer);
  const { body } = await sendExample(customer, find("claimJob"));
  return (body.lease as { id: string }).id;
}

/** Starts the training of the example character with its image, and returns the character's id. */
async function startTraining(customer: Customer): Promise<string> {
  await create(customer, "uploadFile");
  const id = await create(customer, "createCharacter");
  await create(customer, "startCharacter", id);
  return id;
}

/** Creates the object that a path names, by the part of the path before its id. */
const objects: Record<string, (customer: Customer) => Promise<string | undefined>> = {
  "/api/v1/hub/models": async () => undefined,
  "/api/v1/hub/generations": (customer) => create(customer, "createGeneration"),
  "/api/v1/hub/batches": (customer) => create(customer, "createBatch"),
  "/api/v1/hub/files": (customer) => create(customer, "uploadFile"),
  "/api/v1/hub/characters": (customer) => create(customer, "createCharacter"),
  "/api/v1/hub/webhooks": (customer) => create(customer, "createWebhook"),
  "/api/v1/hub/webhooks/deliveries": async (customer) =>
    create(customer, "testWebhook", await create(customer, "createWebhook")),
  "/api/v1/hub/keys": (customer) => create(customer, "createKey"),
  "/api/v1/worker/leases": claimLease,
  "/api/v1/admin/budgets": (customer) => create(customer, "createAdminBudget", String(customer.account)),
  "/api/v1/admin/accounts": async ({ account }) => String(account),
  "/api/v1/admin/keys": async ({ keyId }) => keyId,
  "/api/v1/admin/vouchers": (customer) => create(customer, "createAdminVoucher"),
};

/** Prepares what an operation needs beyond an object, and returns the object's id. */
const states: Record<string, (customer: Customer) => Promise<string | undefined>> = {
  cancelCharacter: startTraining,
  async resumeCharacter(customer) {
    const id = await startTraining(customer);
    await sendExample(customer, find("cancelCharacter"), id);
    return id;
  },
  async eraseGeneration(customer) {
    const id = await create(customer, "createGeneration");
    await sendExample(customer, find("cancelGeneration"), id);
    return id;
  },
  async getAdminClosing(customer) {
    await sendExample(customer, find("closeAdminAccount"), String(customer.account));
    return String(customer.account);
  },
  async getPreview(customer) {
    await startTraining(customer);
    const { body } = await sendExample(customer, find("claimJob"));
    const { lease, generation } = body as { lease: { fence: number }; generation: { id: string } };
    const attempt = { generationId: generation.id, attempt: lease.fence, runId: null };
    await reportLive(host.hub, attempt, { preview: PNG });
    return generation.id;
  },
  async completeUpload(customer) {
    const { body } = await sendExample(customer, find("createUpload"));
    const { id, url, method, headers } = body as { id: string; url: string; method: string; headers: HeadersInit };
    await fetch(url, { method, headers, body: content });
    return id;
  },
  async claimJob(customer) {
    await startTraining(customer);
    return undefined;
  },
};

/** Returns every text in a value that stands for a missing example. */
const placeholders = (value: unknown): unknown[] => {
  if (typeof value !== "object" || value === null) return value === "string" ? [value] : [];
  return Object.entries(value).flatMap(([name, member]) => (name === "type" ? [] : placeholders(member)));
};

test.each(operations)(
  "the example request of $operationId succeeds, and its example responses are valid",
  async (operation) => {
    const { operationId, method, path, responses } = operation;
    const customer = await newCustomer(host.hub);
    const prepare = states[operationId] ?? (path.includes("{id}") ? objects[path.split("/{id}")[0]!] : undefined);
    expect(
      prepare !== undefined || !path.includes("{id}"),
      `${path} names an object that this test cannot create`,
    ).toBe(true);
    const { status, body } = await sendExample(customer, operation, await prepare?.(customer));
    const successes = Object.keys(responses).filter((one) => one.startsWith("2"));
    expect(successes, JSON.stringify(body)).toContain(String(status));
    for (const [documented, response] of Object.entries(responses)) {
      const example = exampleOfResponse(response);
      if (!documented.startsWith("2") || example === undefined) continue;
      expectPublished(method, path.replaceAll(/\{\w+\}/g, "1"), Number(documented), "application/json", example);
      expect(placeholders(example)).toEqual([]);
    }
    expect(placeholders(sampleRequest(operation).body)).toEqual([]);
  },
);

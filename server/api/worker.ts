import { z } from "@hono/zod-openapi";
import { claimJob, type Job } from "../domain/workers/claim-job";
import { completeJob } from "../domain/workers/complete-job";
import { failJob } from "../domain/workers/fail-job";
import { recordHeartbeat } from "../domain/workers/heartbeat";
import { MAX_OUTPUTS, putOutput } from "../domain/workers/put-output";
import { invalidInput } from "../errors";
import { rejectEncodedBody } from "./middleware/content-encoding";
import { defineOperation } from "./operation";
import * as schemas from "./schemas/worker";
import { uuid } from "./schemas/values";

const LEASE = "/api/v1/worker/leases/{id}";
const id = uuid.openapi({ description: "Id of a lease" });
const params = z.object({ id });
const shared = { tag: "Workers", auth: "worker", cost: null } as const;

export const claimJobOperation = defineOperation({
  ...shared,
  name: "claimJob",
  method: "post",
  path: "/api/v1/worker/claim",
  summary: "Take a job",
  description:
    "The oldest one of these models, accounts in turn, and a lease on it. Send heartbeats before the lease expires: a " +
    "lapsed one is given to another worker. With `wait_seconds` the answer comes as soon as there is a job.",
  body: schemas.ClaimRequest,
  responses: {
    200: {
      description: "A job and its lease",
      schema: schemas.Job,
      links: {
        renewLease: "/lease/id",
        storeLeaseOutput: "/lease/id",
        completeLease: "/lease/id",
        failLease: "/lease/id",
      },
    },
    204: { description: "There is none" },
  },
  problems: [],
  async handler({ hub, ctx, body, request }) {
    const { models, wait_seconds } = body;
    const job = await claimJob(hub, ctx.worker, { models, waitMs: wait_seconds * 1000, signal: request.signal });
    return job ? { json: present(job) } : { status: 204, content: null };
  },
});

const present = ({ lease, generation }: Job) => ({
  lease: { ...lease, expires_at: lease.expires_at.toISOString() },
  generation,
});

export const renewLease = defineOperation({
  ...shared,
  name: "renewLease",
  method: "post",
  path: `${LEASE}/heartbeat`,
  summary: "Keep a lease",
  description: "Renews it, and notes how far the work is. Every twenty seconds is enough.",
  params,
  body: schemas.HeartbeatRequest,
  responses: { 200: { description: "It goes on, or is canceled", schema: schemas.Heartbeat } },
  problems: ["resource_not_found", "lease_lost"],
  async handler({ hub, ctx, params, body }) {
    const { cancel, expires_at } = await recordHeartbeat(hub, ctx.worker, params.id!, body);
    return { json: { cancel, expires_at: expires_at.toISOString() } };
  },
});

const MEDIA_TYPE = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,126}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,126}$/;

export const storeLeaseOutput = defineOperation({
  ...shared,
  name: "storeLeaseOutput",
  method: "put",
  path: `${LEASE}/outputs/{index}`,
  summary: "Store an output",
  description:
    "The body is its content, and `Content-Type` its media type. Indexes count from 0. It becomes visible when the " +
    "lease is completed; until then it can be stored again.",
  params: z.object({
    id,
    index: z.string().openapi({ type: "integer", minimum: 0, maximum: MAX_OUTPUTS - 1, example: 0 }),
  }),
  query: schemas.OutputQuery,
  upload: "application/octet-stream",
  responses: { 201: { description: "Stored", schema: schemas.StoredOutput } },
  problems: ["resource_not_found", "lease_lost"],
  async handler({ hub, ctx, params, query, request }) {
    rejectEncodedBody(request);
    const index = /^\d{1,3}$/.test(params.index!) ? Number(params.index) : MAX_OUTPUTS;
    if (index >= MAX_OUTPUTS) throw invalidInput("index", `must be an integer from 0 to ${MAX_OUTPUTS - 1}`);
    const [mediaType = ""] = (request.headers.get("content-type") ?? "").split(";").map((part) => part.trim());
    if (!MEDIA_TYPE.test(mediaType.toLowerCase())) throw invalidInput("Content-Type", "must be a media type");
    const output = { mediaType: mediaType.toLowerCase(), content: received(request) };
    const size = await putOutput(hub, ctx.worker, params.id!, { fence: query.fence, index }, output);
    return { status: 201, json: { index, size } };
  },
});

async function* received({ body }: Request): AsyncGenerator<Uint8Array> {
  try {
    yield* (body ?? []) as AsyncIterable<Uint8Array>;
  } catch {
    throw invalidInput("body", "ended early");
  }
}

export const completeLease = defineOperation({
  ...shared,
  name: "completeLease",
  method: "post",
  path: `${LEASE}/complete`,
  summary: "Succeed",
  description:
    "What was stored under the lease becomes the outputs, and the GPU time is billed, never above the estimate. " +
    "Sending it again is safe.",
  params,
  body: schemas.CompleteRequest,
  responses: { 200: { description: "The generation has succeeded", schema: schemas.LeaseEnd } },
  problems: ["resource_not_found", "lease_lost"],
  async handler({ hub, ctx, params, body }) {
    await completeJob(hub, ctx.worker, params.id!, body);
    return { json: { status: "succeeded" } };
  },
});

export const failLease = defineOperation({
  ...shared,
  name: "failLease",
  method: "post",
  path: `${LEASE}/fail`,
  summary: "Give up",
  description:
    "A retryable failure gives the job to the next worker, three times at most; any other fails the generation, for " +
    "which nothing is billed. Sending it again is safe.",
  params,
  body: schemas.FailRequest,
  responses: { 200: { description: "What the generation is now", schema: schemas.LeaseEnd } },
  problems: ["resource_not_found", "lease_lost"],
  handler: async ({ hub, ctx, params, body }) => ({
    json: { status: await failJob(hub, ctx.worker, params.id!, body) },
  }),
});

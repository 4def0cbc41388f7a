import { z } from "@hono/zod-openapi";
import { MAX_OUTPUTS } from "../domain/generations/row";
import { claimJob, completeJob, failJob, type Job, putOutput, recordHeartbeat } from "../domain/workers";
import { invalidInput } from "../errors";
import { rejectEncodedBody } from "./middleware/bytes";
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
  summary: "Claim a job",
  description:
    "Returns the oldest job for these models and a lease on it; accounts take turns. Send heartbeats before the lease " +
    "expires, or the job goes to another worker. With `wait_seconds` the request waits until a job is available.",
  body: schemas.ClaimRequest,
  responses: {
    200: {
      description: "The job and its lease",
      schema: schemas.Job,
      links: {
        renewLease: "/lease/id",
        storeLeaseOutput: "/lease/id",
        completeLease: "/lease/id",
        failLease: "/lease/id",
      },
    },
    204: { description: "No job is available" },
  },
  problems: [],
  async handler({ hub, ctx, body, request }) {
    const { models, wait_seconds } = body;
    const job = await claimJob(hub, ctx.worker, { models, waitMs: wait_seconds * 1000, signal: request.signal });
    return job ? { json: serializeJob(job) } : { status: 204, content: null };
  },
});

const serializeJob = ({ lease, generation }: Job) => ({
  lease: { ...lease, expires_at: lease.expires_at.toISOString() },
  generation,
});

export const renewLease = defineOperation({
  ...shared,
  name: "renewLease",
  method: "post",
  path: `${LEASE}/heartbeat`,
  summary: "Send a heartbeat",
  description: "Renews the lease and records progress. Send one every twenty seconds.",
  params,
  body: schemas.HeartbeatRequest,
  responses: { 200: { description: "Whether to continue, and when the lease expires", schema: schemas.Heartbeat } },
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
    "Stores the request body as an output with the media type in `Content-Type`. Indexes start at 0. The output becomes " +
    "visible when you complete the lease; until then you can replace it.",
  params: z.object({
    id,
    index: z.string().openapi({ type: "integer", minimum: 0, maximum: MAX_OUTPUTS - 1, example: 0 }),
  }),
  query: schemas.OutputQuery,
  upload: "application/octet-stream",
  responses: { 201: { description: "The stored output", schema: schemas.StoredOutput } },
  problems: ["resource_not_found", "lease_lost"],
  async handler({ hub, ctx, params, query, request }) {
    rejectEncodedBody(request);
    const index = /^\d{1,3}$/.test(params.index!) ? Number(params.index) : MAX_OUTPUTS;
    if (index >= MAX_OUTPUTS) throw invalidInput("index", `must be an integer from 0 to ${MAX_OUTPUTS - 1}`);
    const [mediaType = ""] = (request.headers.get("content-type") ?? "").split(";").map((part) => part.trim());
    if (!MEDIA_TYPE.test(mediaType.toLowerCase())) throw invalidInput("Content-Type", "must be a media type");
    const output = { mediaType: mediaType.toLowerCase(), content: readUpload(request) };
    const size = await putOutput(hub, ctx.worker, params.id!, { fence: query.fence, index }, output);
    return { status: 201, json: { index, size } };
  },
});

async function* readUpload({ body }: Request): AsyncGenerator<Uint8Array> {
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
  summary: "Complete a job",
  description:
    "Completes the job with the outputs stored under the lease and bills the GPU time, up to the estimate. You can " +
    "safely repeat the request.",
  params,
  body: schemas.CompleteRequest,
  responses: {
    200: { description: "The generation succeeded", schema: schemas.LeaseEnd, example: { status: "succeeded" } },
  },
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
  summary: "Fail a job",
  description:
    "A retryable failure queues the job for another worker, up to three times; any other failure fails the generation " +
    "at no cost. You can safely repeat the request.",
  params,
  body: schemas.FailRequest,
  responses: {
    200: { description: "The status of the generation", schema: schemas.LeaseEnd, example: { status: "queued" } },
  },
  problems: ["resource_not_found", "lease_lost"],
  handler: async ({ hub, ctx, params, body }) => ({
    json: { status: await failJob(hub, ctx.worker, params.id!, body) },
  }),
});

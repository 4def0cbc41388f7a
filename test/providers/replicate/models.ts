import { Ajv, type ErrorObject, type ValidateFunction } from "ajv";
import type { Deployment, Model, ModelVersion } from "replicate";
import type { DoubleRequest, DoubleResponse } from "../double";

export const OFFICIAL_MODEL = "black-forest-labs/flux-schnell";
export const COMMUNITY_MODEL = "acme/upscaler";
export const VERSION = "5c7d5dc6dd8bf75c1acaa8565735e7986bc5b66206b55cca93cb72c9bf15ccaa";
export const DEPLOYMENT = "deployments/acme/pictures";

const ajv = new Ajv({ allErrors: true });

const inputSchema = {
  type: "object",
  required: ["prompt"],
  properties: {
    prompt: { type: "string" },
    num_outputs: { type: "integer", minimum: 1, maximum: 4 },
    image: { type: "string", pattern: "^(https?://|data:)" },
  },
};
const bodySchema = {
  type: "object",
  additionalProperties: false,
  required: ["input"],
  properties: {
    input: inputSchema,
    stream: { type: "boolean" },
    // Replicate wants https; the receivers of tests are on loopback.
    webhook: { type: "string", pattern: "^(https://|http://(127\\.0\\.0\\.1|localhost)[:/])" },
    webhook_events_filter: { type: "array", items: { enum: ["start", "output", "logs", "completed"] } },
  },
};
const validateBody = ajv.compile(bodySchema);
const validateVersionBody = ajv.compile({
  ...bodySchema,
  required: ["version", "input"],
  properties: { ...bodySchema.properties, version: { type: "string" } },
});

/** Returns a problem in the form of Replicate. */
export const problem = (status: number, title: string, detail: string, extra = {}): DoubleResponse => ({
  status,
  body: { title, detail, status, ...extra },
});
export const notFound = problem(404, "Not found", "The requested resource could not be found.");
const invalidVersion = problem(
  422,
  "Invalid version or not permitted",
  "The specified version does not exist (or perhaps you don't have permission to use it?)",
);

/** Returns why a request to create a prediction is rejected; null if it is not. */
export function rejectSubmit({ url, headers, json }: DoubleRequest): DoubleResponse | null {
  const [, target] = /^\/v1\/(.*?)\/?predictions$/.exec(url.pathname)!;
  if (!/^application\/json\b/.test(headers["content-type"] ?? ""))
    return problem(400, "Bad request", "The body must be JSON.");
  if (!/^(wait(=([1-9]|[1-5]\d|60))?)?$/.test(String(headers.prefer ?? "")))
    return problem(400, "Bad request", "Prefer is not valid.");
  if (headers["cancel-after"] !== undefined && parseCancelAfter(headers["cancel-after"]) === null)
    return problem(400, "Bad request", "Cancel-After must be from 5s to 24h.");
  if (target) {
    if (target !== `models/${OFFICIAL_MODEL}` && target !== DEPLOYMENT) return notFound;
    return rejectBody(validateBody, json);
  }
  const rejection = rejectBody(validateVersionBody, json);
  if (rejection) return rejection;
  const { version } = json as { version: string };
  return [OFFICIAL_MODEL, VERSION, `${COMMUNITY_MODEL}:${VERSION}`].includes(version) ? null : invalidVersion;
}

/** Returns the seconds of `Cancel-After`, such as `1h30m`; null when it is not valid. */
export function parseCancelAfter(header: unknown): number | null {
  const match = /^(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?$/.exec(String(header));
  if (!match) return null;
  const [hours, minutes, seconds] = match.slice(1).map((digits) => Number(digits ?? 0)) as [number, number, number];
  const total = hours * 3600 + minutes * 60 + seconds;
  return total >= 5 && total <= 86_400 ? total : null;
}

function rejectBody(validate: ValidateFunction, json: unknown): DoubleResponse | null {
  if (validate(json)) return null;
  const invalid_fields = validate.errors!.map(describeError);
  const detail = invalid_fields.map(({ field, description }) => `- ${field}: ${description}\n`).join("");
  return problem(422, "Input validation failed", detail, { invalid_fields });
}

const describeError = ({ keyword, instancePath, message = "" }: ErrorObject) => ({
  type: keyword,
  field: instancePath.slice(1).replaceAll("/", ".") || "(root)",
  description: message,
});

const version: ModelVersion = {
  id: VERSION,
  created_at: "2026-10-01T00:00:00.000000Z",
  cog_version: "0.23.1",
  openapi_schema: { openapi: "3.0.2", components: { schemas: { Input: inputSchema } } },
};

const buildModel = (path: string, is_official: boolean): Model => {
  const [owner, name] = path.split("/") as [string, string];
  const url = `https://replicate.com/${path}`;
  return { url, owner, name, visibility: "public", is_official, run_count: 1, latest_version: version };
};

const deployment: Deployment = {
  owner: "acme",
  name: "pictures",
  current_release: {
    number: 1,
    model: OFFICIAL_MODEL,
    version: VERSION,
    created_at: "2026-10-01T00:00:00.000000Z",
    created_by: { type: "organization", username: "acme", name: "Acme" },
    configuration: { hardware: "gpu-t4", min_instances: 0, max_instances: 1 },
  },
};

const resources: Record<string, unknown> = {
  [`/models/${OFFICIAL_MODEL}`]: buildModel(OFFICIAL_MODEL, true),
  [`/models/${OFFICIAL_MODEL}/versions/${VERSION}`]: version,
  [`/models/${COMMUNITY_MODEL}`]: buildModel(COMMUNITY_MODEL, false),
  [`/models/${COMMUNITY_MODEL}/versions/${VERSION}`]: version,
  [`/${DEPLOYMENT}`]: deployment,
};

/** Returns the response for a model, a version or a deployment. */
export const getModel = (path: string): DoubleResponse =>
  path in resources ? { status: 200, body: resources[path] } : notFound;

import { createValidator } from "../schema-validator";

const text = { type: "string", minLength: 1 };
const optionalNumber = { type: ["number", "null"] };
const accepted = { cost: optionalNumber, input_mp: optionalNumber, output_mp: optionalNumber };
/** A public URL, or base64 without the header of a data URI. */
const picture = { type: "string", pattern: "^(https?://[^\\s]+|[A-Za-z0-9+/]+={0,2})$" };
const size = { type: "integer", minimum: 64, multipleOf: 16 };
const pictures = ["", "_2", "_3", "_4", "_5", "_6", "_7", "_8"].map((end) => [`input_image${end}`, picture] as const);

const result = { type: "object", required: ["sample"], properties: { sample: text, seed: { type: "integer" } } };
const statuses = ["Task not found", "Pending", "Request Moderated", "Content Moderated", "Ready", "Error", "Failed"];

/** Black Forest Labs' requests and responses (docs.bfl.ai/api-reference). Unknown parameters are rejected, as by FLUX 3. */
export const bflSchemas = createValidator({
  /** The body of a submit to a FLUX.2 model. */
  submit: {
    type: "object",
    required: ["prompt"],
    additionalProperties: false,
    properties: {
      prompt: { type: "string" },
      ...Object.fromEntries(pictures),
      width: size,
      height: size,
      seed: { type: "integer" },
      safety_tolerance: { type: "integer", minimum: 0, maximum: 5 },
      output_format: { enum: ["jpeg", "png"] },
      webhook_url: { type: "string", minLength: 1, maxLength: 2083, pattern: "^https?://" },
      webhook_secret: text,
    },
  },
  accepted: {
    type: "object",
    required: ["id", "polling_url"],
    additionalProperties: false,
    properties: { id: text, polling_url: { type: "string", pattern: "^https?://" }, ...accepted },
  },
  /** The response when upstream is to call back: it tells no URL to poll. */
  acceptedWithWebhook: {
    type: "object",
    required: ["id", "status", "webhook_url"],
    additionalProperties: false,
    properties: { id: text, status: text, webhook_url: text, ...accepted },
  },
  result: {
    type: "object",
    required: ["id", "status"],
    additionalProperties: false,
    properties: {
      id: text,
      status: { enum: statuses },
      result: { anyOf: [result, { type: "null" }] },
      progress: { type: ["number", "null"], minimum: 0, maximum: 1 },
      details: { type: ["object", "null"] },
      preview: { type: ["object", "null"] },
    },
  },
  callback: {
    type: "object",
    required: ["id", "status", "timestamp"],
    properties: { id: text, status: { enum: statuses }, result, timestamp: text },
  },
  credits: { type: "object", required: ["credits"], properties: { credits: { type: "number" } } },
  validationError: {
    type: "object",
    required: ["detail"],
    properties: {
      detail: {
        type: "array",
        items: {
          type: "object",
          required: ["loc", "msg", "type"],
          properties: { loc: { type: "array", items: { type: ["string", "integer"] } }, msg: text, type: text },
        },
      },
    },
  },
  error: { type: "object", required: ["detail"], properties: { detail: text } },
});

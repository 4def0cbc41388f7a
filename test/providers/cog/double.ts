import { readFileSync } from "node:fs";
import path from "node:path";
import Ajv from "ajv";
import addFormats from "ajv-formats";
import { type DoubleRequest, type DoubleResponse, openDouble } from "../double";

const schemaFile = path.join(import.meta.dirname, "model", ".cog", "openapi_schema.json");
const description = JSON.parse(readFileSync(schemaFile, "utf8")) as {
  components: { schemas: { Input: { properties: Record<string, { default?: unknown }> } } };
};
const inputSchema = description.components.schemas.Input;
const validate = addFormats(new Ajv({ allErrors: true, verbose: true })).compile(inputSchema);

/** The state of a container's model. */
type Health = "STARTING" | "READY" | "SETUP_FAILED";

interface Prediction {
  input: Input;
  cancel: () => void;
}

interface Input {
  prompt: string;
  width: number;
  output: string;
  seconds: number;
  image?: string;
}

/**
 * Opens a server that speaks cog's protocol as version 0.23.1 does, with one slot and the model of `model/predict.py`.
 * Work with `seconds` never ends on its own.
 */
export async function openCogDouble() {
  const running = new Map<string, Prediction>();
  /** The ids of all predictions that began, in their order. */
  const begun: string[] = [];
  let health: Health = "READY";

  const begin = (id: string, request: DoubleRequest): DoubleResponse | Promise<DoubleResponse> => {
    const known = running.get(id);
    if (known) return { status: 202, body: { id, input: known.input, logs: "", metrics: {}, status: "processing" } };
    const { input: given } = request.json as { input: Record<string, unknown> };
    // Unknown inputs are dropped.
    const named = Object.fromEntries(Object.entries(given).filter(([name]) => name in inputSchema.properties));
    if (!validate(named)) return { status: 422, body: { detail: describeIssues() } };
    if (health !== "READY") return { status: 503, body: { error: "Setup has not finished yet", status: "failed" } };
    if (running.size > 0)
      return { status: 409, body: { error: "At capacity - all prediction slots busy", status: "failed" } };
    begun.push(id);
    const input = { ...defaults, ...named } as unknown as Input;
    if (input.seconds === 0) return { status: 200, body: predict(id, input) };
    return new Promise((resolve) => {
      const cancel = () => {
        running.delete(id);
        resolve({ status: 200, body: { id, logs: "", metrics: { predict_time: 0.5 }, status: "canceled" } });
      };
      running.set(id, { input, cancel });
      request.disconnected.addEventListener("abort", cancel);
    });
  };

  const cancel = (id: string): DoubleResponse => {
    const found = running.get(id);
    found?.cancel();
    return { status: found ? 200 : 404, body: {} };
  };
  const readHealth = (): DoubleResponse => {
    const status = health === "READY" && running.size > 0 ? "BUSY" : health;
    return { status: 200, body: { status, version: { coglet: "0.23.1" } } };
  };
  const respond = (request: DoubleRequest): DoubleResponse | Promise<DoubleResponse> => {
    const place = `${request.method} ${request.url.pathname}`;
    if (place === "GET /health-check") return readHealth();
    if (place === "GET /openapi.json") return { status: 200, body: description };
    const [, id, action] = /^\/predictions\/([^/]+)(\/cancel)?$/.exec(request.url.pathname) ?? [];
    if (!id) return { status: 404 };
    if (request.method === "POST" && action) return cancel(id);
    // There is nothing to poll.
    if (request.method !== "PUT" || action) return { status: 405 };
    if (request.json === undefined) return { status: 400, body: Buffer.from("Failed to parse the request body") };
    return begin(id, request);
  };

  const double = await openDouble({
    isSubmit: ({ method, url }) => method === "PUT" && url.pathname.startsWith("/predictions/"),
    respond,
    describeError: (status) => (status === 422 ? { detail: [] } : { error: "told to fail", status: "failed" }),
  });
  return { ...double, begun, setHealth: (next: Health) => void (health = next) };
}

const defaults = Object.fromEntries(
  Object.entries(inputSchema.properties).map(([name, { default: value }]) => [name, value]),
);

const describeIssues = () =>
  validate.errors!.map(({ instancePath, keyword, params, data }) => {
    const missing = (params as { missingProperty?: string }).missingProperty;
    if (keyword === "required") return issueAt(missing!, "Field required", "value_error.missing");
    const { limit } = params as { limit?: number };
    return issueAt(instancePath.slice(1), `${String(data)} is less than the minimum of ${limit}`, "value_error");
  });

const issueAt = (name: string, msg: string, type: string) => ({ loc: ["body", "input", name], msg, type });

function predict(id: string, { prompt, width, output, image }: Input) {
  const result = { id, logs: "", metrics: { predict_time: 0.0018 } };
  const failure = errors[prompt];
  if (failure) return { ...result, error: `Prediction failed: Prediction failed: ${failure}`, status: "failed" };
  const read = image ? Buffer.from(image.slice(image.indexOf(",")), "base64").toString() : "";
  const file = `data:text/plain;base64,${Buffer.from(`${prompt} ${width} ${read}`.trim()).toString("base64")}`;
  const outputs: Record<string, unknown> = {
    file,
    files: [file, file],
    nested: { image: file, seed: 5 },
    text: "some text",
    pieces: ["some ", "text"],
    json: { seed: 5 },
    url: "http://127.0.0.1:9/output.png",
    nothing: null,
  };
  return { ...result, output: outputs[output], status: "succeeded" };
}

const errors: Record<string, string> = {
  raise: "ValueError: told to fail",
  nsfw: "Exception: NSFW content detected. Try a different prompt.",
};

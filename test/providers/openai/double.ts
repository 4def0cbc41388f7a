import { Ajv2020 } from "ajv/dist/2020.js";
import { describeContent } from "../../../server/domain/content/inspect-content";
import { type Double, type DoubleRequest, type DoubleResponse, openDouble } from "../double";
import { drawPicture, type PictureFormat, speechContents } from "./contents";
import { type ParsedForm, parseForm } from "./parse-form";
import { requestSchemas } from "./schemas";

/** OpenAI itself, or a compatible server that differs from it. */
export type Flavour = "openai" | "localai" | "vllm-omni";

export interface OpenaiDouble extends Double {
  /** The address for a catalogue's `base_url`. */
  baseUrl: string;
  /** The inputs of the jobs that it checked, oldest first. */
  inputs: Record<string, unknown>[];
  /** Sets the responses to the next jobs, one each. */
  respondNext: (...responses: DoubleResponse[]) => void;
}

export const KEY = "test-key-0123456789";
const MODELS = [
  { id: "gpt-image-2.5-flare", shutdown_date: null },
  { id: "gpt-image-1.5", shutdown_date: "2026-12-01" },
  { id: "gpt-4o-mini-tts", shutdown_date: "2027-01-06" },
  { id: "gpt-transcribe", shutdown_date: null },
];

type Path = keyof typeof requestSchemas;

// A form has only texts.
const ajv = new Ajv2020({ allowUnionTypes: true, coerceTypes: true, strictTypes: false });
const validators = new Map(Object.entries(requestSchemas).map(([path, schema]) => [path, ajv.compile(schema)]));

/** Opens a server that speaks OpenAI's protocol for images and audio, and rejects what its reference does not allow. */
export async function openOpenaiDouble({ flavour = "openai" }: { flavour?: Flavour } = {}): Promise<OpenaiDouble> {
  const responses: DoubleResponse[] = [];
  const inputs: Record<string, unknown>[] = [];
  const double = await openDouble({
    isSubmit: ({ method, url, headers }) =>
      method === "POST" && validators.has(pathOf(url)) && headers.authorization === `Bearer ${KEY}`,
    isOutput: ({ url }) => url.pathname.startsWith("/generated-images/"),
    async respond(request) {
      const { method, url, headers } = request;
      if (url.pathname.startsWith("/generated-images/")) return sendPicture(request);
      if (headers.authorization !== `Bearer ${KEY}`)
        return reject(401, "Incorrect API key provided.", "invalid_api_key");
      if (method === "GET" && pathOf(url) === "/models") return listModels(flavour);
      if (method !== "POST" || !validators.has(pathOf(url))) return reject(404, "Invalid URL.", null);
      const { fields, files } = await readInput(request);
      inputs.push(fields);
      const rejection = flavour === "openai" ? checkInput(pathOf(url), fields, files) : null;
      return responses.shift() ?? rejection ?? doJob(pathOf(url) as Path, fields, { flavour, origin: url.origin });
    },
    describeError: (status) => describeError(`Failed with status ${status}.`, null),
  });
  return { ...double, baseUrl: `${double.url}/v1`, inputs, respondNext: (...next) => void responses.push(...next) };
}

const pathOf = ({ pathname }: URL): string => pathname.replace(/^\/v1/, "");

async function readInput(request: DoubleRequest): Promise<ParsedForm> {
  const isForm = request.headers["content-type"]?.startsWith("multipart/form-data;");
  return isForm ? parseForm(request) : { fields: (request.json ?? {}) as Record<string, unknown>, files: [] };
}

/** Returns the rejection of an input that OpenAI's reference does not allow; null for any other. */
function checkInput(path: string, fields: Record<string, unknown>, files: ParsedForm["files"]): DoubleResponse | null {
  const validate = validators.get(path)!;
  const isForm = path === "/images/edits" || path === "/audio/transcriptions";
  // Ajv writes converted values into its argument.
  if (isForm !== files.length > 0 || !validate(structuredClone(fields)))
    return reject(400, ajv.errorsText(validate.errors, { dataVar: "body" }), "invalid_value");
  const wrong = files.find(({ content, type }) => describeContent(content).mediaType !== type);
  if (wrong) return reject(400, `Invalid file '${wrong.name}': unsupported mimetype.`, "unsupported_file");
  if (!MODELS.some(({ id }) => id === fields.model))
    return reject(404, `The model '${String(fields.model)}' does not exist.`, "model_not_found");
  if (String(fields.prompt).includes("[unsafe]"))
    return reject(400, "Your request was rejected by the safety system.", "moderation_blocked");
  return null;
}

interface Server {
  flavour: Flavour;
  origin: string;
}

function doJob(path: Path, fields: Record<string, unknown>, server: Server): DoubleResponse | Promise<DoubleResponse> {
  if (path === "/audio/speech") return speak(fields, server);
  return path === "/audio/transcriptions" ? transcribe(fields) : draw(fields, server);
}

async function draw(fields: Record<string, unknown>, { flavour, origin }: Server): Promise<DoubleResponse> {
  const { n = 1, output_format = "png", response_format, quality = "medium", size = "1024x1024" } = fields;
  const pictures = await Promise.all(
    Array.from({ length: Number(n) }, (_, index) => drawPicture(output_format as PictureFormat, index)),
  );
  const created = 1_790_000_000;
  if (flavour === "localai" && response_format !== "b64_json") {
    const urls = pictures.map((_, index) => `${origin}/generated-images/${index}.png`);
    return json({ created, id: "0d9a", data: urls.map((url, index) => ({ embedding: null, index, url })) });
  }
  const data = pictures.map((picture) => ({ b64_json: picture.toString("base64") }));
  if (flavour === "localai") return json({ created, data });
  if (flavour === "vllm-omni")
    return json({ created, data: data.map((one) => ({ ...one, url: null, revised_prompt: null })) });
  const usage = {
    total_tokens: 150,
    input_tokens: 50,
    output_tokens: 100,
    input_tokens_details: { text_tokens: 50, image_tokens: 0 },
    output_tokens_details: { text_tokens: 0, image_tokens: 100 },
  };
  return json({ created, background: "opaque", output_format, size, quality, data, usage });
}

/** Responds with a picture that LocalAI has named, which must be read without the key, because that belongs only to the API. */
async function sendPicture({ url, headers }: DoubleRequest): Promise<DoubleResponse> {
  if (headers.authorization !== undefined) return reject(400, "A key was sent to a public file.", null);
  const index = Number(/(\d+)\.png$/.exec(url.pathname)?.[1]);
  return { status: 200, headers: { "content-type": "image/png" }, body: await drawPicture("png", index) };
}

function speak({ response_format = "mp3" }: Record<string, unknown>, { flavour }: Server): DoubleResponse {
  // LocalAI's backends write WAV, whatever is asked for.
  const { mediaType, content } = speechContents[flavour === "localai" ? "wav" : (response_format as string)]!;
  const type = flavour === "localai" ? "audio/x-wav" : flavour === "openai" ? mediaType : "application/octet-stream";
  return { status: 200, headers: { "content-type": type }, body: content };
}

export const TRANSCRIPT = "What does a lighthouse see?";

function transcribe({ response_format: format = "json" }: Record<string, unknown>): DoubleResponse {
  const texts: Record<string, string> = {
    text: `${TRANSCRIPT}\n`,
    srt: `1\n00:00:00,000 --> 00:00:03,000\n${TRANSCRIPT}\n`,
    vtt: `WEBVTT\n\n00:00.000 --> 00:03.000\n${TRANSCRIPT}\n`,
  };
  const text = texts[format as string];
  if (text) return { status: 200, headers: { "content-type": "text/plain; charset=utf-8" }, body: Buffer.from(text) };
  if (format === "verbose_json")
    return json({ task: "transcribe", language: "english", duration: 3.2, text: TRANSCRIPT, segments: [] });
  return json({ text: TRANSCRIPT, usage: { type: "duration", seconds: 3 } });
}

function listModels(flavour: Flavour): DoubleResponse {
  const data = MODELS.map(({ id, shutdown_date }) => ({
    id,
    object: "model",
    created: 1_780_000_000,
    owned_by: flavour,
    ...(flavour === "openai" && { shutdown_date }),
  }));
  return json({ object: "list", data });
}

const json = (body: unknown): DoubleResponse => ({ status: 200, body });

export const reject = (status: number, message: string, code: string | null): DoubleResponse => ({
  status,
  body: describeError(message, code),
});

const describeError = (message: string, code: string | null) => ({
  error: {
    message,
    type: code === "moderation_blocked" ? "image_generation_user_error" : "invalid_request_error",
    param: null,
    code,
  },
});

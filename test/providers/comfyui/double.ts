import type { Workflow } from "../../../server/catalogue/model";
import { type DoubleRequest, type DoubleResponse, openDouble } from "../double";
import { describedFiles } from "./described-files";
import { nodeClasses } from "./nodes";
import { findNodes, validateGraph } from "./validate";
import { sendMessages } from "./web-socket";

type Graph = Workflow["nodes"];
type Item = [number: number, id: string, graph: Graph, extra: { client_id?: string }, outputs: string[]];

interface Saved {
  filename: string;
  subfolder: string;
  type: string;
}

const KEY = "Bearer test-key-0123456789";
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Opens a ComfyUI server behind a proxy that asks for the tests' key. It behaves as 0.3.64 does, and takes only ids
 * that 0.36 takes. Its work advances by one step whenever the history is read after the queue: a pending prompt begins,
 * and a running one ends. A prompt with a text `[raise]` fails.
 */
export async function openComfyuiDouble() {
  const state = {
    pending: [] as Item[],
    running: null as Item | null,
    history: new Map<string, unknown>(),
    /** The contents of inputs and outputs by their place, such as `input/example.png`. */
    files: new Map([["input/example.png", Buffer.from("example")]]),
    /** What each graph has saved: the nodes of a known graph do not run again. */
    cache: new Map<string, Record<string, unknown>>(),
    number: 0,
    hasReadQueue: false,
    endsBetweenReads: false,
    /** The messages that a listener on the WebSocket gets, as bytes; null for a server without a WebSocket. */
    messages: null as Buffer[] | null,
  };

  const end = (event: string, details: object = {}) => {
    const item = state.running!;
    const [, id, graph, extra, outputs] = item;
    const status = event === "execution_success" ? "success" : "error";
    const messages = [
      ["execution_start", { prompt_id: id, timestamp: 1_000 }],
      [event, { prompt_id: id, ...details, timestamp: 3_500 }],
    ];
    const made = status === "success" ? runNodes(state, graph, outputs, extra.client_id) : {};
    const result = { status_str: status, completed: status === "success", messages };
    state.history.set(id, { prompt: item, outputs: made, status: result, meta: {} });
    state.running = null;
  };
  const advance = () => {
    if (!state.running) {
      state.pending.sort(([a], [b]) => a - b);
      state.running = state.pending.shift() ?? null;
    } else if (JSON.stringify(state.running[2]).includes("[raise]")) end("execution_error", executionError);
    else end("execution_success");
  };

  const submit = ({ json }: DoubleRequest): DoubleResponse => {
    const { prompt, prompt_id: id, client_id } = json as { prompt: Graph; prompt_id: string; client_id?: string };
    if (!UUID.test(id)) return { status: 400, body: { error: { type: "invalid_prompt_id" }, node_errors: {} } };
    const { error, node_errors, outputs } = validateGraph(prompt, (name) => state.files.has(`input/${name}`));
    if (error) return { status: 400, body: { error, node_errors } };
    const number = state.number++;
    state.pending.push([number, id, prompt, { client_id }, outputs]);
    return { status: 200, body: { prompt_id: id, number, node_errors } };
  };
  const routes: Record<string, (request: DoubleRequest) => DoubleResponse | Promise<DoubleResponse>> = {
    "POST /prompt": submit,
    "GET /queue": () => {
      const { running, pending } = state;
      state.hasReadQueue = true;
      return { status: 200, body: { queue_running: running ? [running] : [], queue_pending: pending.toReversed() } };
    },
    "POST /queue": ({ json }) => {
      const { delete: ids } = json as { delete: string[] };
      state.pending = state.pending.filter(([, id]) => !ids.includes(id));
      return { status: 200 };
    },
    "POST /interrupt": ({ json }) => {
      const { prompt_id: id } = (json ?? {}) as { prompt_id?: string };
      if (state.running && (!id || state.running[1] === id)) end("execution_interrupted", { node_type: "KSampler" });
      return { status: 200 };
    },
    "POST /upload/image": (request) => storeUpload(state.files, request),
    "GET /view": ({ url: { searchParams } }) => {
      const [type, subfolder, name] = ["type", "subfolder", "filename"].map((part) => searchParams.get(part)!);
      const body = state.files.get(placeOf(type!, subfolder!, name!));
      return body ? { status: 200, body } : { status: 404 };
    },
    "GET /system_stats": () => ({ status: 200, body: { system: { comfyui_version: "0.3.64" }, devices: [] } }),
  };
  const respond = (request: DoubleRequest): DoubleResponse | Promise<DoubleResponse> => {
    const { method, url, headers } = request;
    if (headers.authorization !== KEY) return { status: 401 };
    const [, folder, name = ""] = /^\/(history|object_info)\/(.+)$/.exec(url.pathname) ?? [];
    if (method === "GET" && folder === "history") return readHistory(name);
    if (method === "GET" && folder)
      return { status: 200, body: name in nodeClasses ? { [name]: nodeClasses[name] } : {} };
    return routes[`${method} ${url.pathname}`]?.(request) ?? { status: 404 };
  };
  const readHistory = (id: string): DoubleResponse => {
    if (state.hasReadQueue) advance();
    state.hasReadQueue = false;
    const entry = state.history.get(id);
    if (!entry && state.endsBetweenReads) {
      while (state.running ?? state.pending[0]) advance();
    }
    return { status: 200, body: entry ? { [id]: entry } : {} };
  };

  const double = await openDouble({
    isSubmit: ({ method, url }) => method === "POST" && url.pathname === "/prompt",
    isOutput: ({ url }) => url.pathname === "/view",
    respond,
    describeError: (status) => ({ error: { type: "told_to_fail", message: `${status}` }, node_errors: {} }),
    upgrade: (request, socket) => sendMessages(request, socket, state.messages),
  });
  return {
    ...double,
    state,
    /** Forgets the queue and the history, as a restart does; files stay. */
    restart: () => {
      Object.assign(state, {
        pending: [],
        running: null,
        history: new Map(),
        cache: new Map(),
        number: 0,
        hasReadQueue: false,
        messages: null,
      });
    },
  };
}

const placeOf = (type: string, subfolder: string, name: string): string =>
  [type, subfolder, name].filter((part) => part !== "").join("/");

/** As ComfyUI writes it, with paths of its machine that must not be shown. */
const executionError = {
  node_id: "3",
  node_type: "KSampler",
  executed: ["4"],
  exception_message: "Allocation failed for /home/studio/ComfyUI/models/flux.safetensors",
  exception_type: "torch.OutOfMemoryError",
  traceback: ['  File "/home/studio/ComfyUI/execution.py", line 496, in execute\n'],
  current_inputs: {},
};

/** Returns what the output nodes of a graph list, after saving their files. */
function runNodes(
  { files, cache }: { files: Map<string, Buffer>; cache: Map<string, Record<string, unknown>> },
  graph: Graph,
  outputs: string[],
  clientId: string | undefined,
): Record<string, unknown> {
  const made = outputs.map((id) => {
    const needed = JSON.stringify(findNodes(graph, id).map((node) => graph[node]));
    const known = cache.get(needed);
    // Without a client, nodes that do not run again list nothing.
    if (known) return [id, clientId === undefined ? {} : known] as const;
    const { class_type, inputs } = graph[id]!;
    const { lists, extension, type } = nodeClasses[class_type]!;
    const prefix = typeof inputs.filename_prefix === "string" ? inputs.filename_prefix : "ComfyUI_temp";
    const file = { ...nameFile(files, prefix, extension!), type: type! };
    const content = describedFiles[extension!]!(Buffer.from(`work\0${class_type} ${needed}`));
    files.set(placeOf(type!, file.subfolder, file.filename), content);
    const listed = { [lists!]: [file], ...(extension === "mp4" && lists === "images" && { animated: [true] }) };
    cache.set(needed, listed);
    return [id, listed] as const;
  });
  return Object.fromEntries(made);
}

function nameFile(files: Map<string, Buffer>, prefix: string, extension: string): Omit<Saved, "type"> {
  const slash = prefix.lastIndexOf("/");
  const subfolder = prefix.slice(0, Math.max(0, slash));
  for (let counter = 1; ; counter += 1) {
    const filename = `${prefix.slice(slash + 1)}_${String(counter).padStart(5, "0")}_.${extension}`;
    const isTaken = ["output", "temp"].some((type) => files.has(placeOf(type, subfolder, filename)));
    if (!isTaken) return { filename, subfolder };
  }
}

async function storeUpload(files: Map<string, Buffer>, { body, headers }: DoubleRequest): Promise<DoubleResponse> {
  const type = headers["content-type"]!;
  const form = await new Response(new Uint8Array(body), { headers: { "content-type": type } }).formData();
  const image = form.get("image");
  if (!(image instanceof File)) return { status: 400 };
  const content = Buffer.from(await image.arrayBuffer());
  const subfolder = (form.get("subfolder") ?? "") as string;
  const [stem, extension] = image.name.split(/(?=\.[^.]*$)/) as [string, string];
  let name = image.name;
  for (let n = 1; ; n += 1) {
    if (files.get(placeOf("input", subfolder, name))?.equals(content) !== false) break;
    name = `${stem} (${n})${extension}`;
  }
  files.set(placeOf("input", subfolder, name), content);
  return { status: 200, body: { name, subfolder, type: "input" } };
}

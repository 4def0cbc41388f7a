import { randomBytes } from "node:crypto";
import type { Duplex } from "node:stream";
import { z } from "zod";
import type { ProviderSettings, Workflow } from "../../catalogue/model";
import { withTimeout } from "../../lib/with-timeout";
import { getConnection } from "../http/connection";
import type { Job } from "../job";
import type { ProviderIo } from "../provider";
import { comfyuiApi } from "./api";
import { readFrames } from "./read-frames";

/** How long a poll listens: the server sends what happens, and not what has happened. */
const LISTEN_MS = 1_000;
const MAX_TEXT_BYTES = 64 * 1024;

/** What a running prompt shows of its work. */
interface Watched {
  progress: number | null;
  preview?: Buffer;
}

/**
 * Listens to a running prompt until it has shown its progress and a preview, for at most a second. Never rejects for
 * what the server does.
 */
export async function watchPrompt({ route }: Job, promptId: string, io: ProviderIo): Promise<Watched> {
  const watched: Watched = { progress: null };
  try {
    await withTimeout(LISTEN_MS, io.signal, async (signal) => {
      const socket = await openSocket(route.provider, promptId, signal);
      const close = () => socket.destroy();
      signal.addEventListener("abort", close, { once: true });
      try {
        signal.throwIfAborted();
        for await (const { isText, payload } of readFrames(socket)) {
          if (!isText) readPreview(payload, watched);
          else if (readEvent(payload, promptId, route.workflow!, watched)) return;
          if (watched.preview && watched.progress !== null) return;
        }
      } finally {
        signal.removeEventListener("abort", close);
        close();
      }
    });
  } catch {
    // Progress and previews are extras: the time is over, or the server or a proxy in front of it has no WebSocket.
    io.signal.throwIfAborted();
  }
  return watched;
}

async function openSocket(provider: ProviderSettings, promptId: string, signal: AbortSignal): Promise<Duplex> {
  const { pool, path } = getConnection(provider);
  const { socket } = await pool.upgrade({
    path: `${path}/ws?clientId=${encodeURIComponent(promptId)}`,
    protocol: "websocket",
    headers: {
      "sec-websocket-key": randomBytes(16).toString("base64"),
      "sec-websocket-version": "13",
      ...(provider.apiKey !== null && comfyuiApi.authorize(provider.apiKey)),
    },
    signal,
  });
  return socket;
}

const Progress = z.object({
  type: z.literal("progress"),
  data: z.object({ prompt_id: z.string(), node: z.string(), value: z.number().min(0), max: z.number().positive() }),
});
const Ended = z.object({
  type: z.enum(["execution_success", "execution_error", "execution_interrupted"]),
  data: z.object({ prompt_id: z.string() }),
});

/** Reads the progress of a message into `watched`. Returns whether the prompt has ended. */
function readEvent(payload: Buffer, promptId: string, workflow: Workflow, watched: Watched): boolean {
  if (payload.length > MAX_TEXT_BYTES) return false;
  const message: unknown = JSON.parse(payload.toString());
  const progress = Progress.safeParse(message).data?.data;
  if (progress?.prompt_id === promptId && progress.node === findSampler(workflow))
    watched.progress = Math.min(1, progress.value / progress.max);
  return Ended.safeParse(message).data?.data.prompt_id === promptId;
}

/** Returns the one node of a workflow that counts steps; undefined if there are several, because each begins at zero. */
function findSampler({ nodes }: Workflow): string | undefined {
  const counting = Object.entries(nodes).filter(([, { inputs }]) => Object.hasOwn(inputs, "steps"));
  return counting.length === 1 ? counting[0]![0] : undefined;
}

const PREVIEW = 1;
const PREVIEW_WITH_METADATA = 4;

/**
 * Reads the picture of a message into `watched`: it follows the kind and the format, or the kind and as much metadata
 * as it names.
 */
function readPreview(payload: Buffer, watched: Watched): void {
  if (payload.length <= 8) return;
  const [kind, size] = [payload.readUInt32BE(0), payload.readUInt32BE(4)];
  if (kind === PREVIEW) watched.preview = Buffer.from(payload.subarray(8));
  if (kind === PREVIEW_WITH_METADATA && size < payload.length - 8)
    watched.preview = Buffer.from(payload.subarray(8 + size));
}

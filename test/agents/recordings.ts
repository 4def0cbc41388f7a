import { readdirSync, readFileSync } from "node:fs";
import http from "node:http";
import path from "node:path";
import { text } from "node:stream/consumers";

/** What a program sent while it ran one tool call, recorded from the unmodified program. */
export interface Recording {
  program: string;
  /** What the requests with a body have in common. */
  headers: Record<string, string>;
  json: Record<string, unknown>;
  requests: RecordedRequest[];
}

export interface RecordedRequest {
  method: string;
  path: string;
  /** The header that contained the API key. */
  auth?: "authorization" | "x-api-key";
  headers: Record<string, string>;
  json?: Record<string, unknown>;
  /** Whether the body also contains the common members. */
  shared?: boolean;
}

/** A request as it is sent. */
export interface Sent {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: string;
}

export interface Received {
  status: number;
  headers: http.IncomingHttpHeaders;
  text: string;
}

const FOLDER = path.join(import.meta.dirname, "recorded");

export const readRecording = (name: string): Recording =>
  JSON.parse(readFileSync(path.join(FOLDER, name), "utf8")) as Recording;

/** Returns all recordings, by the names of their programs. */
export const readRecordings = (): [string, Recording][] =>
  readdirSync(FOLDER).map((name) => {
    const recording = readRecording(name);
    return [recording.program, recording];
  });

const bodyOf = (recording: Recording, { json, shared }: RecordedRequest) => ({
  ...(shared && recording.json),
  ...json,
});

/** Returns the bodies that all programs have sent to a path. */
export const listBodies = (target: string): Record<string, unknown>[] =>
  readRecordings().flatMap(([, recording]) =>
    recording.requests
      .filter((request) => request.json && new URL(request.path, "http://hub").pathname === target)
      .map((request) => bodyOf(recording, request)),
  );

/** Returns a recorded request with an API key, and with its body changed. */
export function buildRequest(
  recording: Recording,
  request: RecordedRequest,
  key: string,
  change: (body: string) => string,
): Sent {
  const { method, path: target, auth, json } = request;
  const credentials = auth && { [auth]: auth === "authorization" ? `Bearer ${key}` : key };
  if (!json) return { method, path: target, headers: { ...request.headers, ...credentials } };
  const headers = { ...recording.headers, ...request.headers, ...credentials, "content-type": "application/json" };
  const body = change(JSON.stringify(bodyOf(recording, request)));
  return { method, path: target, headers, body };
}

const UPGRADE = {
  connection: "Upgrade",
  "sec-websocket-version": "13",
  "sec-websocket-key": "AAAAAAAAAAAAAAAAAAAAAA==",
};

/** Sends a request as it was recorded, also one that asks for another protocol. */
export async function sendRequest(url: string, { method, path: target, headers, body }: Sent): Promise<Received> {
  const all = { ...headers, ...("upgrade" in headers && UPGRADE) };
  const response = await new Promise<http.IncomingMessage>((resolve, reject) => {
    const request = http.request(new URL(target, url), { method, headers: all }, resolve);
    request.on("error", reject).end(body);
  });
  return { status: response.statusCode!, headers: response.headers, text: await text(response) };
}

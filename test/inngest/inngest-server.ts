import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { connect } from "node:net";
import os from "node:os";
import path from "node:path";
import { type Program, startProgram } from "./child-process";
import { reservePort } from "../reserve-port";

/** The storage of an Inngest server's state: memory, a folder with SQLite, or Postgres and Redis. */
export type Store = { kind: "memory" } | { kind: "sqlite" } | { kind: "postgres"; databaseUrl: string; redis: string };

export interface InngestServer {
  url: string;
  /** Settings of a hub whose jobs the server runs. */
  settings: Record<string, string>;
  start(): Promise<void>;
  kill9(): Promise<void>;
  stop(): Promise<void>;
}

interface Options {
  binary: string;
  store: Store;
  /** URL of the hub's functions; a server that stores its state in memory fetches them after each start. */
  appUrl: string;
}

/** Prepares an Inngest server on ports of its own. `start` runs it, with the same state each time. */
export async function prepareInngest({ binary, store, appUrl }: Options): Promise<InngestServer> {
  const portOptions = [
    "--port",
    "--connect-gateway-port",
    "--connect-gateway-grpc-port",
    "--connect-executor-grpc-port",
  ];
  const [port, ...others] = await Promise.all(portOptions.map(() => reservePort()));
  const redisPort = await reservePort();
  const folder = await mkdtemp(path.join(os.tmpdir(), "hub-inngest-"));
  const url = `http://127.0.0.1:${port}`;
  const eventKey = randomBytes(8).toString("hex");
  const signingKey = randomBytes(16).toString("hex");
  const mode =
    store.kind === "memory"
      ? ["dev", "--no-discovery", "--sdk-url", appUrl]
      : ["start", "--event-key", eventKey, "--signing-key", signingKey, ...storeOptions(store, folder, redisPort)];
  const values = ["--json", ...mode, ...[port, ...others].flatMap((value, n) => [portOptions[n]!, String(value)])];
  let redis: Program | undefined;
  let server: Program | undefined;
  return {
    url,
    settings:
      store.kind === "memory"
        ? { INNGEST_DEV: url }
        : { INNGEST_BASE_URL: url, INNGEST_EVENT_KEY: eventKey, INNGEST_SIGNING_KEY: signingKey },
    async start() {
      if (store.kind === "postgres") redis ??= await startRedis(store.redis, redisPort, folder);
      server = await startProgram(binary, values, { folder, isReady: async () => (await fetch(`${url}/health`)).ok });
    },
    kill9: async () => server?.kill9(),
    async stop() {
      await server?.kill9();
      await redis?.kill9();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const storeOptions = (store: Store, folder: string, redisPort: number): string[] =>
  store.kind === "postgres"
    ? ["--postgres-uri", store.databaseUrl, "--postgres-max-open-conns", "20", "--redis-uri", redisUrl(redisPort)]
    : ["--sqlite-dir", folder];
const redisUrl = (port: number) => `redis://127.0.0.1:${port}`;

const startRedis = (binary: string, port: number, folder: string): Promise<Program> =>
  startProgram(binary, ["--bind", "127.0.0.1", "--port", String(port), "--save", ""], {
    folder,
    isReady: () => isListening(port),
  });

const isListening = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => resolve(true)).once("error", () => resolve(false));
    socket.once("connect", () => socket.destroy());
  });

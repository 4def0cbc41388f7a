import { type ChildProcess, fork } from "node:child_process";
import { reservePort } from "../reserve-port";
import { bundleProgram } from "../bundle-program";
import type { TestHub } from "../hub";

/** What a process has used. */
export interface Usage {
  /** Milliseconds of CPU time. */
  processorMs: number;
  /** Resident megabytes. */
  memory: number;
}

export interface ChildHub {
  url: string;
  /** Returns what it has used so far; with `collectsGarbage`, after a garbage collection. */
  measure(options?: { collectsGarbage?: boolean }): Promise<Usage>;
  /** Resolves when the process serves. */
  ready(): Promise<unknown>;
  start(): Promise<unknown>;
  kill9(): Promise<void>;
}

/** Starts a process that serves the API of a test hub, on a port that it keeps. */
export async function forkHub(hub: TestHub, settings: Record<string, string> = {}): Promise<ChildHub> {
  const port = await reservePort();
  const program = await bundleProgram("test/streams/hub-child.ts");
  let child: ChildProcess;
  let ready: Promise<unknown>;
  const start = () => {
    child = fork(program, {
      execArgv: ["--expose-gc"],
      env: {
        PATH: process.env.PATH,
        NODE_ENV: "test",
        DATABASE_URL: hub.databaseUrl,
        HUB_SECRET: hub.secret,
        HUB_DATA_DIR: hub.folder,
        PORT: String(port),
        LOG_LEVEL: "warn",
        SANDBOX: "on",
        RATE_LIMIT_READS_PER_MINUTE: "1000000",
        RATE_LIMIT_WRITES_PER_MINUTE: "1000000",
        ...settings,
      },
    });
    return (ready = new Promise((resolve) => child.once("message", resolve)));
  };
  await start();
  return {
    url: `http://127.0.0.1:${port}`,
    measure: ({ collectsGarbage = false } = {}) =>
      new Promise((resolve) => {
        child.once("message", resolve as (message: unknown) => void);
        child.send(collectsGarbage ? "collect garbage" : "measure");
      }),
    ready: () => ready,
    start,
    async kill9() {
      const ended = new Promise((resolve) => child.once("exit", resolve));
      ready = ended;
      child.kill("SIGKILL");
      await ended;
    },
  };
}

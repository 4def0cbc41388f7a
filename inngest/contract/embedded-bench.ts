import pino from "pino";
import { afterAll } from "vitest";
import type { GetStepTools, Inngest, InngestFunction } from "inngest";
import type { Db } from "../../server/db/client";
import { testDatabase } from "../../test/database";
import { createInngest } from "../client";
import { createEmbeddedEngine, type Engine } from "../embedded/engine";
import { embeddedFetch } from "../embedded/fetch";
import { type Bench, until } from "./bench";

/** The data of the tests' events. */
export interface Data {
  n: number;
  account: number;
  text: string;
  cron: string;
}

type Options = Partial<Parameters<Inngest["createFunction"]>[0]>;

export interface EmbeddedBench extends Bench {
  db: Db;
  url: string;
  /** What the engines logged as errors. */
  errors: string[];
  /** Moves the engine's clock. */
  advance(ms: number): Promise<void>;
  /** Creates one more engine on the same database; `halt` stops it as well. */
  createEngine(functions: InngestFunction.Any[]): Engine;
  /** Creates a function of one step, started by `<id>/asked`. */
  oneStepFunction(id: string, work: (data: Data) => unknown, options?: Options): InngestFunction.Any;
  send(name: string, data: object, id?: string): Promise<unknown>;
}

const HOUR_MS = 3_600_000;
const MOMENT_MS = 100;

/** Opens the embedded engine on a database of its own, with a clock that tests can move. */
export async function embeddedBench(slots = 16): Promise<EmbeddedBench> {
  const { db, url } = await testDatabase();
  let ahead = 0;
  const now = () => new Date(Date.now() + ahead);
  const errors: string[] = [];
  const log = pino({ level: "error" }, { write: (line: string) => void errors.push(line) });
  const inngest = createInngest({ env: { inngest: false }, fetch: embeddedFetch(db, now) });
  const engines: Engine[] = [];
  let served: string[] = [];

  const createEngine = (functions: InngestFunction.Any[]) => {
    const created = createEmbeddedEngine({ listenUrl: url, inngest, functions, log, now, slots });
    engines.push(created);
    return created;
  };
  const halt = async () => void (await Promise.all(engines.splice(0).map((created) => created.stop(1_000))));
  const advance = async (ms: number) => {
    ahead += ms;
    await db.query("SELECT pg_notify('engine', '')");
  };
  const settle = () => until(() => isIdle(db, served, now()));
  afterAll(halt);
  return {
    inngest,
    errors,
    db,
    url,
    now,
    createEngine,
    halt,
    advance,
    oneStepFunction(id, work, options) {
      const run = async ({ event, step }: { event: { data?: unknown }; step: Pick<GetStepTools<Inngest>, "run"> }) => {
        await step.run("work", () => work(event.data as Data));
      };
      return inngest.createFunction({ id, triggers: [{ event: `${id}/asked` }], ...options }, run);
    },
    send: (name, data, id) => inngest.send({ name, data, id }),
    async serve(functions) {
      await halt();
      served = functions.map((one) => one.id(inngest.id));
      await createEngine(functions).start();
    },
    settle,
    long: "2h",
    pass: () => advance(2 * HOUR_MS + 1_000),
    async passMoment() {
      await settle();
      await advance(MOMENT_MS);
    },
    async readRun(id) {
      const [run] = await db.query<{ status: string; output: unknown }>(
        "SELECT status, result AS output FROM engine.run WHERE id = $1",
        [id],
      );
      return run!;
    },
  };
}

async function isIdle(db: Db, functions: string[], now: Date): Promise<boolean> {
  const [row] = await db.query<{ idle: boolean }>(
    `SELECT NOT EXISTS (SELECT FROM engine.event) AND NOT EXISTS (
       SELECT FROM engine.concurrency_group g WHERE function_id = ANY ($1::text[]) AND (waiting + executing > 0 OR EXISTS (
         SELECT FROM engine.job WHERE concurrency_group_id = g.id AND state = 'later' AND due_at <= $2))) AS idle`,
    [functions, now],
  );
  return row!.idle;
}

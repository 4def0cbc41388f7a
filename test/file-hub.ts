import { readdir } from "node:fs/promises";
import path from "node:path";
import type { Account, Ctx } from "../server/context";
import type { Hub } from "../server/domain/hub";
import { createAccount } from "../server/domain/people/create-account";
import { storeOutput } from "../server/domain/files/store-output";
import { acceptUpload } from "../server/domain/inputs/accept-upload";
import { insertWithHold } from "../server/domain/generations/intake/insert-with-hold";
import { markRunning } from "../server/domain/generations/run/mark-running";
import { finishGeneration } from "../server/domain/generations/end/finish";
import type { FinalStatus } from "../server/domain/generations/row/transitions";
import { creditAccount } from "../server/domain/ledger/credit";
import { newId } from "../server/lib/id";
import { queuedGeneration } from "./generation-fixture";
import { deriveHub } from "./derive-hub";
import { testHub } from "./hub";

/** Opens a hub whose clock moves only by `advance`, with functions that create files in each way. */
export async function openFileHub(settings: Record<string, string> = {}) {
  const { folder, ...base } = await testHub({ BASE_URL: "https://hub.example/base", ...settings });
  let now = new Date("2026-03-01T12:00:00.000Z").getTime();
  const hub: Hub = deriveHub(base, { now: () => new Date(now) });

  const newAccount = async () => {
    const id = await createAccount(hub, { email: `${newId()}@example.org` });
    await creditAccount(hub, id, { amount: 1_000_000_000n });
    return id;
  };
  const ctxOf = (id: number): Ctx<Hub> => ({
    hub,
    account: { id } as Account,
    actor: { kind: "user" },
    requestId: "test",
  });
  const queue = async (account: number, input: Record<string, unknown> = { prompt: "a tree" }) => {
    const generation = { ...queuedGeneration(account, 1_000n), input, created_at: hub.now() };
    await insertWithHold(hub, generation);
    return generation.id;
  };
  const start = async (account: number) => {
    const id = await queue(account);
    await markRunning(hub, { generationId: id, runId: newId() });
    return id;
  };
  const end = (id: string, to: FinalStatus, outputs = 0) =>
    finishGeneration(hub, {
      id,
      from: ["queued", "running"],
      to,
      outputs,
      error: to === "failed" ? { code: "provider_error", message: "No.", retryable: false } : undefined,
    });
  const store = (generationId: string, accountId: number, index: number, content: string) =>
    storeOutput(hub, { generationId, accountId, index }, { mediaType: "image/png", content: chunksOf(content) });
  /** Stores the output of a generation that succeeds, and returns the file's id. */
  const output = async (account: number, content = "content") => {
    const id = await start(account);
    await store(id, account, 0, content);
    await end(id, "succeeded", 1);
    const [file] = await hub.db.query<{ id: string }>("SELECT id FROM file WHERE generation_id = $1", [id]);
    return file!.id;
  };

  const upload = (account: number, ...parts: (string | Error)[]) => acceptUpload(ctxOf(account), chunksOf(...parts));

  return {
    hub,
    advance: (ms: number) => void (now += ms),
    newAccount,
    ctxOf,
    queue,
    start,
    end,
    store,
    output,
    upload,
    /** Returns the names of all files on the disk, including temporary ones that were left behind. */
    listContents: async () => {
      const entries = await readdir(path.join(folder, "files"), { recursive: true, withFileTypes: true });
      return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
    },
  };
}

export async function* chunksOf(...parts: (string | Error)[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) {
    if (part instanceof Error) throw part;
    yield Buffer.from(part);
  }
}

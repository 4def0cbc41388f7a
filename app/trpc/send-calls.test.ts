import { initTRPC, TRPCError } from "@trpc/server";
import { fetchRequestHandler } from "@trpc/server/adapters/fetch";
import { expect, test } from "vitest";
import { z } from "zod";
import { transformer } from "@/server/trpc/transformer";
import { createOptionsProxy } from "./proxies";
import { type Call, createSender } from "./send-calls";

const t = initTRPC.create({ transformer });
const router = t.router({
  echo: t.procedure.input(z.unknown()).query(({ input }) => ({ input, constructor: 1 })),
  refuse: t.procedure.input(z.string()).mutation(({ input }) => {
    throw new TRPCError({ code: "FORBIDDEN", message: input });
  }),
});

/** Returns a sender to tRPC's own adapter, and the requests that it makes. */
function openSender() {
  const requests: Request[] = [];
  const send = createSender((input, init) => {
    const request = new Request(new URL(input as string, "http://hub.test"), init);
    requests.push(request.clone());
    return fetchRequestHandler({ endpoint: "/api/trpc", req: request, router });
  });
  return { send, requests };
}
const echo = (input: unknown): Call => ({ type: "query", path: "echo", input });

test("sends the calls of a moment in requests of at most twenty, and returns each its own output", async () => {
  const { send, requests } = openSender();
  const inputs = Array.from({ length: 21 }, (_, n) => (n === 0 ? undefined : { n, constructor: n }));
  const outputs = await Promise.all(inputs.map((input) => send(echo(input))));
  expect(outputs).toEqual(inputs.map((input) => ({ input, constructor: 1 })));
  expect(requests.map(({ method }) => method)).toEqual(["GET", "GET"]);
});

test("rejects a call with what the hub says of it, and no other call of its request", async () => {
  const { send, requests } = openSender();
  const refused = (input: string) => send({ type: "mutation", path: "refuse", input });
  await expect(Promise.allSettled([refused("no"), refused("never")])).resolves.toMatchObject([
    { reason: { message: "no", data: { httpStatus: 403 } } },
    { reason: { message: "never", data: { httpStatus: 403 } } },
  ]);
  expect(requests.map(({ method }) => method)).toEqual(["POST"]);
  expect(await Promise.allSettled([send(echo(1)), send({ ...echo(1), path: "nothing" })])).toMatchObject([
    { status: "fulfilled" },
    { status: "rejected", reason: { data: { httpStatus: 404 } } },
  ]);
});

test("rejects without data when the hub does not answer", async () => {
  for (const reply of [() => Promise.reject(new TypeError("offline")), async () => new Response("Bad gateway")]) {
    const send = createSender(reply);
    await expect(send(echo(1))).rejects.toMatchObject({ data: null });
  }
});

test("aborts a request once all of its calls are aborted", async () => {
  const signals: AbortSignal[] = [];
  const send = createSender((_input, init) => {
    signals.push(init!.signal!);
    return new Promise<Response>((_resolve, reject) =>
      init!.signal!.addEventListener("abort", () => reject(new Error("aborted"))),
    );
  });
  const [first, second] = [new AbortController(), new AbortController()];
  const calls = [first, second].map(({ signal }) => send({ ...echo(1), signal }));
  await new Promise((resolve) => setTimeout(resolve));
  first.abort();
  expect(signals[0]!.aborted).toBe(false);
  second.abort();
  for (const result of await Promise.allSettled(calls)) expect(result.status).toBe("rejected");
});

test("has the keys of tRPC's own integration, with which the server prefetches", () => {
  const trpc = createOptionsProxy(openSender().send);
  expect(trpc.keys.list.queryOptions().queryKey).toEqual([["keys", "list"], { type: "query" }]);
  expect(trpc.keys.get.queryFilter({ id: "1" }).queryKey).toEqual([
    ["keys", "get"],
    { input: { id: "1" }, type: "query" },
  ]);
  expect(trpc.keys.pathFilter().queryKey).toEqual([["keys"]]);
});

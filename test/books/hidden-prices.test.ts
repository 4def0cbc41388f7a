import { afterAll, beforeAll, expect, test } from "vitest";
import { loadCatalogue } from "../../server/catalogue/load";
import { runAudit } from "../../server/domain/audit/audit";
import { assignBook } from "../../server/domain/books";
import { finishGeneration } from "../../server/domain/generations/end/finish";
import { applyRevision } from "../../server/domain/models";
import { markRunning } from "../../server/domain/generations/run/mark-running";
import { createCallerFactory } from "../../server/trpc/procedure";
import { root } from "../../server/trpc/root";
import { callApi } from "../api/call";
import { newCustomer } from "../api/customer";
import { openOwnHost } from "../api/hosts";
import { testOperator } from "../operator";
import { ownerSession } from "../session";
import { applyTestBooks } from "./apply-books";

/** The catalogue's price, and what a book makes of it. */
const SECRET = /0\.0987654|1\.234567|multiplier/;
const OWN_PRICE = 0.121932504;

const host = await openOwnHost({ EXPOSE_ATTEMPTS: "times" });
const { hub } = host;
const source = `
providers: [{ id: first, kind: sandbox }]
models:
  - id: clip
    output_modalities: [image]
    parameters_schema: { type: object, properties: { prompt: { type: string } } }
    pricing_tiers: [{ match: {}, price_usd: 0.0987654 }]
    routes: [{ provider: first, upstream_model: sandbox-image }]`;
beforeAll(async () => {
  await applyRevision(hub, testOperator, { source, file: "catalogue" });
  hub.catalogue = await loadCatalogue(hub, {});
});
afterAll(async () => {
  expect((await runAudit(hub.db)).violations).toEqual([]);
});

test("an account finds neither the catalogue's price nor the multiplier of its book behind any door", async () => {
  await applyTestBooks(hub, "books: [{ id: partners, multipliers: [{ models: clip, multiplier: 1.234567 }] }]");
  const { account, key } = await newCustomer(hub);
  await assignBook(hub, testOperator, { id: account, book: "partners" });
  const console = createCallerFactory(root)({ hub, session: await ownerSession(hub, account), address: null });
  const seen: string[] = [];
  const call = async (method: string, path: string, body?: object) => {
    const reply = await callApi(host, method, `/api/v1/hub/${path}`, { key, body });
    expect(reply.status, path).toBeLessThan(300);
    seen.push(`${path}: ${JSON.stringify(reply.body)}`);
    return reply.body;
  };
  const { quote } = await call("POST", "models/clip/pricing", { input: { prompt: "a pier" } });
  seen.push(Buffer.from((quote as { id: string }).id, "base64url").toString("latin1"));
  const { id } = (await call("POST", "generations", { model: "clip", input: { prompt: "a pier" } })) as { id: string };
  expect(await markRunning(hub, { generationId: id, runId: "run" })).toBe("running");
  await finishGeneration(hub, { id, from: ["running"], to: "succeeded" });
  for (const path of ["models", "models/clip", `generations/${id}`, `generations/${id}/attempts`, "generations"])
    await call("GET", path);
  const shown = await console.generations.get({ id });
  expect(shown.price).toMatchObject({ by: "tier", price_usd: OWN_PRICE });
  const pages = [
    shown,
    await console.generations.list({}),
    await console.models.get({ id: "clip" }),
    await console.models.price({ id: "clip", input: { prompt: "a pier" } }),
    await console.overview.summary(),
  ];
  seen.push(...pages.map((page) => JSON.stringify(page)));
  for (const text of seen) expect(text).not.toMatch(SECRET);
});

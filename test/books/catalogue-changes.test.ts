import { expect, test } from "vitest";
import { loadCatalogue } from "../../server/catalogue/load";
import { applyBooks } from "../../server/domain/books";
import { applyRevision } from "../../server/domain/models";
import { callAdmin, newProgram } from "../admin/program";
import { openOwnHost } from "../api/hosts";
import { testOperator } from "../operator";
import { soakCount } from "../soak";

const host = await openOwnHost();
const { hub } = host;

const catalogueOf = (models: string) => `
providers:
  - { id: own, kind: openai, base_url: "https://llm.example.org/v1", api_key: "\${OPENAI_API_KEY}" }
models:
${models}
`;
const modelOf = (id: string, cost: number, price = 0.1) => `
  - id: ${id}
    output_modalities: [image]
    pricing_tiers: [{ match: {}, price_usd: ${price} }]
    routes: [{ provider: own, upstream_model: a, price_usd: ${cost} }]`;
const applyCatalogue = async (source: string) => {
  await applyRevision(hub, testOperator, { source, file: "catalogue" });
  hub.catalogue = await loadCatalogue(hub, {});
};
const applyTo = (books: string) => applyBooks(hub, testOperator, { source: books, file: "books" });

const cheap = catalogueOf(modelOf("flux", 0.04) + modelOf("own", 0));
const books = (multiplier: number) => `
books:
  - { id: sandbox, models: ["sandbox-*"] }
  - { id: partners, multipliers: [{ models: flux, multiplier: ${multiplier} }] }
`;

test.each([
  ["costs more than a book takes", modelOf("flux", 0.06), /line 4: books\[1\].multipliers\[0\] sells flux below cost/],
  ["costs as much by a lower price", modelOf("flux", 0.04, 0.07), /sells flux below cost/],
  ["is gone", modelOf("other", 0), /line 4: books\[1\].multipliers\[0\].models matches no model: "flux"/],
])("a catalogue in which a model %s is rejected with the place in the books", async (_case, models, issue) => {
  await applyCatalogue(cheap);
  const revision = await applyTo(books(0.5));
  const program = await newProgram(hub);
  const { etag } = await callAdmin(host, program, "GET", "catalogue").then(({ headers }) => ({
    etag: headers.get("etag")!,
  }));
  const source = catalogueOf(models);
  const checked = await callAdmin(host, program, "POST", "catalogue/check", { body: { source } });
  expect(checked.body).toMatchObject({ changes: [], issues: [{ line: 0, path: "" }] });
  const reply = await callAdmin(host, program, "PUT", "catalogue", { body: { source }, headers: { "if-match": etag } });
  expect(reply.status).toBe(400);
  const [message] = (reply.body.errors as Record<string, string[]>).source!;
  expect(message).toMatch(issue);
  expect(message).toContain(`price books, revision ${revision}`);
  expect((await callAdmin(host, program, "GET", "catalogue")).headers.get("etag")).toBe(etag);
});

test("books that fit both catalogues are applied first", async () => {
  await applyCatalogue(cheap);
  await applyTo(books(0.5));
  await applyTo(books(0.7));
  await applyCatalogue(catalogueOf(modelOf("flux", 0.06)));
  await expect(applyTo(books(0.5))).rejects.toThrow("sells flux below cost");
  await applyTo("books: []");
  await applyCatalogue(catalogueOf(modelOf("other", 0)));
});

test("of books and a catalogue that do not fit and are applied at once, one is rejected", async () => {
  for (let round = 0; round < soakCount(2, 100); round += 1) {
    await applyTo("books: []");
    await applyCatalogue(cheap);
    const applied = await Promise.allSettled([
      applyRevision(hub, testOperator, { source: catalogueOf(modelOf("flux", 0.06)), file: "catalogue" }),
      applyTo(books(0.5)),
    ]);
    expect(applied.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  }
});

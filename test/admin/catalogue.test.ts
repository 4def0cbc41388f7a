import { mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { applyRevision } from "../../server/domain/models/revisions";
import { openOwnHost } from "../api/hosts";
import { testOperator } from "../operator";
import { soakCount } from "../soak";
import { actionsOf, callAdmin, newProgram, type Program } from "./program";

const host = await openOwnHost();
const { hub } = host;

const read = async (program: Program) => {
  const { headers, body } = await callAdmin(host, program, "GET", "catalogue");
  return { etag: headers.get("etag")!, source: body.source as string, revision: body.revision as number | null };
};
const put = (program: Program, etag: string, source: string) =>
  callAdmin(host, program, "PUT", "catalogue", { body: { source }, headers: { "if-match": etag } });

test("of programs that change one catalogue at once, one wins and the others get 412", async () => {
  const program = await newProgram(hub);
  for (let round = 0; round < soakCount(2, 20); round += 1) {
    const { etag } = await read(program);
    const replies = await Promise.all(
      Array.from({ length: 6 }, (_, index) => put(program, etag, `models: [] # ${round} ${index}\n`)),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 412, 412, 412, 412, 412]);
    const won = replies.findIndex(({ status }) => status === 200);
    const now = await read(program);
    expect(now).toMatchObject({ source: `models: [] # ${round} ${won}\n`, revision: replies[won]!.body.revision });
    expect(now.etag).toBe(replies[won]!.headers.get("etag"));
    expect(await actionsOf(hub, program)).toHaveLength(round + 1);
  }
  const revisions = await callAdmin(host, program, "GET", "catalogue/revisions");
  expect((revisions.body.data as { operator: string }[])[0]!.operator).toBe(program.name);
});

test.each([undefined, "*", '"x"', "7", 'W/"7"'])("a PUT with If-Match %s is rejected with its place", async (etag) => {
  const headers: Record<string, string> = etag === undefined ? {} : { "if-match": etag };
  const body = { source: "models: []\n" };
  const reply = await callAdmin(host, await newProgram(hub), "PUT", "catalogue", { body, headers });
  expect(reply.status).toBe(400);
  expect(Object.keys(reply.body.errors as object)).toEqual(["If-Match"]);
});

test("a hub that reads its catalogue from a file says so", async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), "hub-catalogue-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = path.join(folder, "models.yaml");
  await writeFile(file, "models: []\n");
  const other = await openOwnHost({ HUB_CATALOGUE: file });
  const program = await newProgram(other.hub);
  const request = { body: { source: "models: []\n" }, headers: { "if-match": '"0"' } };
  expect((await callAdmin(other, program, "PUT", "catalogue", request)).status).toBe(409);
  expect((await callAdmin(other, program, "GET", "catalogue")).body).toMatchObject({ file, revision: null });
});

test("an invalid catalogue is rejected with its issues, and changes nothing", async () => {
  const program = await newProgram(hub);
  const { etag } = await read(program);
  const reply = await put(program, etag, "models: [{ id: 7 }]\n");
  expect(reply.status).toBe(400);
  expect(await read(program)).toMatchObject({ etag });
  const checked = await callAdmin(host, program, "POST", "catalogue/check", {
    body: { source: "models: [{ id: 7 }]\n" },
  });
  expect((checked.body.issues as object[]).length).toBeGreaterThan(0);
});

const providers = (openai: string) => `
providers:
  - { id: own, kind: openai, base_url: "https://llm.example.org/v1", api_key: "\${OPENAI_API_KEY}" }
  - { id: fal, kind: fal, api_key: "\${FAL_KEY}" }
  ${openai}
models: []
`;

test.each([
  [
    "another address",
    '- { id: own2, kind: openai, base_url: "https://evil.example/v1", api_key: "${OPENAI_API_KEY}" }',
  ],
  ["another address without a key", '- { id: inside, kind: openai, base_url: "http://169.254.169.254/v1" }'],
  [
    "a new variable",
    '- { id: groq, kind: openai, base_url: "https://llm.example.org/v1", api_key: "${GROQ_API_KEY}" }',
  ],
  ["another provider's variable", '- { id: fal2, kind: fal, api_key: "${OPENAI_API_KEY}" }'],
  ["two variables", '- { id: fal2, kind: fal, api_key: "${FAL_KEY}${OPENAI_API_KEY}" }'],
  ["another kind", '- { id: repl, kind: replicate, api_key: "${FAL_KEY}" }'],
  ["an address by a variable", '- { id: v, kind: openai, base_url: "${OPENAI_BASE}", api_key: "${OPENAI_API_KEY}" }'],
  [
    "an address by a default",
    '- { id: f, kind: fal, base_url: "${FAL_URL:-https://evil.example}", api_key: "${FAL_KEY}" }',
  ],
])("a token cannot name %s", async (_case, entry) => {
  await applyRevision(hub, testOperator, { source: providers(""), file: "catalogue" });
  const program = await newProgram(hub);
  const { etag } = await read(program);
  expect((await put(program, etag, providers(entry))).status).toBe(403);
  expect(await read(program)).toMatchObject({ etag });
  expect(await actionsOf(hub, program)).toEqual([]);
  // Nor may it replace the existing provider with such an entry.
  const own = entry.replace(/id: \w+/, "id: own");
  expect((await put(program, etag, `providers:\n  ${own}\nmodels: []\n`)).status).toBe(403);
});

test("a token keeps, renames, limits and removes providers", async () => {
  await applyRevision(hub, testOperator, { source: providers(""), file: "catalogue" });
  const program = await newProgram(hub);
  const limited = providers("").replace("kind: fal,", "kind: fal, per_minute: 5,").replace("id: own", "id: ours");
  expect((await put(program, (await read(program)).etag, limited)).status).toBe(200);
  expect((await put(program, (await read(program)).etag, "models: []\n")).status).toBe(200);
  // A removed provider is no longer known.
  expect((await put(program, (await read(program)).etag, providers(""))).status).toBe(403);
});

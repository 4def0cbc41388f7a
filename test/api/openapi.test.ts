import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import fc from "fast-check";
import { expect, test } from "vitest";
import { adminOperations } from "../../server/api/admin/openapi";
import { messagesDocument } from "../../server/api/anthropic/openapi";
import { completeChatOperation } from "../../server/api/chat";
import { openAiDocument } from "../../server/api/openai/openapi";
import { operations } from "../../server/api/openapi";
import { listErrorCodes } from "../../server/api/operation";
import { errorTable } from "../../server/errors";
import { compileSchema } from "../../server/catalogue/compile-schema";
import { chatInputSchema } from "../../server/domain/model-inputs/check-input";
import { ChatRequest } from "../../server/api/schemas/chat";
import { seed, soakCount } from "../soak";
import { type Document, PUBLIC, published } from "./published";

interface Report {
  totals: { errors: number };
  problems: { ruleId: string; message: string; location: { pointer: string }[] }[];
}

/** Returns the linter's report on each document. */
async function lint(...documents: unknown[]): Promise<Report[]> {
  const folder = await mkdtemp(path.join(os.tmpdir(), "hub-openapi-"));
  try {
    const files = documents.map((_, n) => path.join(folder, `${n}.json`));
    await Promise.all(files.map((file, n) => writeFile(file, JSON.stringify(documents[n]))));
    const command = [
      "node_modules/@redocly/cli/bin/cli.js",
      "lint",
      "--extends=recommended",
      "--format=json",
      ...files,
    ];
    const env = { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };
    const run = promisify(execFile)(process.execPath, command, { env });
    // The linter exits with 1 when it finds an error.
    const { stdout } = await run.catch((error: { stdout: string }) => error);
    // Each report ends with the only brace that is not indented.
    return stdout.split(/(?<=^\})\s*(?=\{)/m).map((text) => JSON.parse(text) as Report);
  } finally {
    await rm(folder, { recursive: true });
  }
}

test("the document passes the linter's recommended rules, of which a broken one violates some", async () => {
  const broken = { ...published, paths: { ...published.paths, "/x": { get: { responses: {} } } } };
  const [report, brokenReport] = await lint(published, broken);
  expect(report!.problems).toEqual([]);
  expect(report!.totals.errors).toBe(0);
  expect(brokenReport!.totals.errors).toBeGreaterThan(0);
});

test("every body but a chat's rejects unknown members by their names", () => {
  const bodies = [...operations, ...adminOperations].flatMap(({ name, body }) => (body ? [{ name, body }] : []));
  expect(bodies.length).toBeGreaterThan(25);
  const tolerant = bodies.filter(({ body }) => {
    const issues = body.safeParse({ surplus: 1 }).error?.issues ?? [];
    return !issues.some((issue) => issue.code === "unrecognized_keys" && issue.keys.includes("surplus"));
  });
  expect(tolerant.map(({ name }) => name)).toEqual([completeChatOperation.name]);
});

test("describes every operation under its own id", () => {
  const names = Object.values(published.paths).flatMap((methods) =>
    Object.values(methods).map(({ operationId }) => operationId),
  );
  const declared = operations.flatMap(({ name, head }) => (head ? [name, head] : [name]));
  expect(names.toSorted()).toEqual(declared.toSorted());
  expect(new Set(names).size).toBe(names.length);
});

test("every error code can be returned by an operation, or by the edge before one is found", () => {
  const before = ["method_not_allowed"];
  const answered = new Set<string>([...operations.flatMap(listErrorCodes), ...before]);
  expect(Object.keys(errorTable).filter((code) => !answered.has(code))).toEqual([]);
});

const described = Object.values(published.paths).flatMap((methods) => Object.values(methods));
const responses = described.flatMap((operation) => Object.entries(operation.responses));

/** Returns the schema behind a reference, or the schema itself. */
function resolve(schema: Record<string, unknown>): Record<string, unknown> {
  const name = /^#\/components\/schemas\/(\w+)$/.exec(String(schema.$ref))?.[1];
  return name ? published.components.schemas[name]! : schema;
}

/** Returns every schema below a value for which a client generator would generate a class or an enumeration. */
function findClasses(value: unknown): unknown[] {
  if (typeof value !== "object" || value === null) return [];
  const inner = Object.values(value).flatMap(findClasses);
  return "properties" in value || "enum" in value ? [value, ...inner] : inner;
}

test("describes every problem by one of two named schemas", () => {
  const problems = responses.flatMap(([, { content }]) => content?.["application/problem+json"] ?? []);
  const named = ["Problem", "ChatUnauthorized"].map((name) => `#/components/schemas/${name}`);
  expect(problems.length).toBeGreaterThan(100);
  expect(problems.filter(({ schema }) => !named.includes(schema.$ref as string))).toEqual([]);
});

/** Returns where an object or an enumeration has no name, below the named schemas and in bodies. */
function findUnnamed(value: unknown, place: string, isNamed = false): string[] {
  if (typeof value !== "object" || value === null) return [];
  const { properties, enum: values } = value as { properties?: unknown; enum?: unknown[] };
  // Enumerations that may be null are written in place.
  const isClass =
    typeof properties === "object" || (Array.isArray(values) && !values.includes(null) && values.length > 1);
  const inner = Object.entries(value).flatMap(([name, one]) =>
    ["example", "parameters"].includes(name) ? [] : findUnnamed(one, `${place}/${name}`),
  );
  return isClass && !isNamed ? [place, ...inner] : inner;
}

const documents = [
  published,
  ...[openAiDocument(PUBLIC), messagesDocument(PUBLIC)].map((one) => JSON.parse(JSON.stringify(one)) as Document),
];

test.each(documents)("$info.title: generators need not invent a name", ({ paths, components }) => {
  const named = Object.entries(components.schemas).flatMap(([name, one]) => findUnnamed(one, name, true));
  expect([...named, ...findUnnamed(paths, "paths")]).toEqual([]);
});

test("the documents have titles of their own", () => {
  expect(new Set(documents.map(({ info }) => info.title)).size).toBe(documents.length);
});

test.each(documents)(
  "$info.title: every schema is reachable from an operation, because generators drop others",
  (document) => {
    const reached = new Set<string>();
    const visit = (value: unknown) => {
      for (const [, name] of JSON.stringify(value).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
        if (reached.has(name!)) continue;
        reached.add(name!);
        visit(document.components.schemas[name!]);
      }
    };
    visit(document.paths);
    expect(Object.keys(document.components.schemas).filter((name) => !reached.has(name))).toEqual([]);
  },
);

// Anthropic's paths have no files.
test.each(documents.slice(0, 2))("$info.title: every file is binary, of a type that generators know", ({ paths }) => {
  const isKnown = (type: string) => /^(application\/octet-stream|multipart\/form-data)$/.test(type);
  const bodies = Object.values(paths).flatMap((methods) =>
    Object.values(methods).flatMap(({ requestBody, responses }) =>
      [requestBody, ...Object.values(responses)].map((one) => Object.entries(one?.content ?? {})),
    ),
  );
  const files = bodies.filter((contents) => contents.some(([, { schema }]) => schema.format === "binary"));
  expect(files.length).toBeGreaterThan(0);
  expect(files.filter((contents) => !contents.some(([type]) => isKnown(type)))).toEqual([]);
});

test("a generated client has few classes", () => {
  expect(findClasses(published).length).toBeLessThan(160);
});

test("every link passes a member of the response to an operation as its id", () => {
  const targets = new Map(described.map((operation) => [operation.operationId, operation]));
  const links = responses.flatMap(([, response]) =>
    Object.values(response.links ?? {}).map((link) => ({ link, response })),
  );
  expect(links.length).toBeGreaterThan(20);
  for (const { link, response } of links) {
    const target = targets.get(link.operationId);
    expect(target?.parameters, link.operationId).toContainEqual(expect.objectContaining({ name: "id", in: "path" }));
    const [, pointer] = /^\$response\.body#\/([\w/]+)$/.exec(link.parameters.id!)!;
    let schema = response.content!["application/json"]!.schema;
    for (const step of pointer!.split("/")) {
      const owner = resolve(schema);
      const members = owner.properties as Record<string, Record<string, unknown>> | undefined;
      schema = step === "0" ? (owner.items as Record<string, unknown>) : members![step]!;
      expect(schema, `${link.operationId}: ${pointer}`).toBeDefined();
    }
  }
});

test("every operation that creates an object links to the operations on it", () => {
  const creations = described.filter(({ responses }) => "201" in responses || "202" in responses);
  const missing = creations.filter(({ responses }) => !(responses["201"] ?? responses["202"])!.links);
  // The responses of these have no id for another operation, or repeat the one of the request.
  const excused = ["storeLeaseOutput", "redeliverWebhook"];
  expect(missing.map(({ operationId }) => operationId).toSorted()).toEqual(excused.toSorted());
});

const part = fc.oneof(
  fc.record({ type: fc.constant("text"), text: fc.string() }),
  fc.record({ type: fc.constant("image_url"), image_url: fc.record({ url: fc.webUrl() }) }),
  fc.record({ type: fc.string({ maxLength: 70 }), size: fc.integer() }),
);
const message = fc.record(
  {
    role: fc.oneof(fc.constantFrom("system", "user", "assistant", "tool", ""), fc.string({ maxLength: 70 })),
    content: fc.oneof(fc.string(), fc.array(part), fc.constant(null), fc.constant(7)),
    name: fc.string(),
    tool_call_id: fc.string(),
    tool_calls: fc.array(
      fc.record({
        id: fc.string(),
        type: fc.constant("function"),
        function: fc.record({ name: fc.string(), arguments: fc.string() }),
      }),
    ),
  },
  { requiredKeys: [] },
);

test("describes exactly the messages that a chat accepts", () => {
  const takes = compileSchema(chatInputSchema);
  fc.assert(
    fc.property(fc.array(message, { maxLength: 4 }), (messages) => {
      expect(ChatRequest.safeParse({ model: "sandbox-text", messages }).success).toBe(takes({ messages }));
    }),
    { seed, numRuns: soakCount(150, 20_000) },
  );
});

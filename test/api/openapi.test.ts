import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { operations } from "../../server/api/openapi";
import { problemsOf } from "../../server/api/operation";
import { errorTable } from "../../server/errors";
import { published } from "./published";

interface Report {
  totals: { errors: number };
  problems: { ruleId: string; message: string; location: { pointer: string }[] }[];
}

async function lint(document: unknown): Promise<Report> {
  const folder = await mkdtemp(path.join(os.tmpdir(), "hub-openapi-"));
  try {
    const file = path.join(folder, "openapi.json");
    await writeFile(file, JSON.stringify(document));
    const command = ["node_modules/@redocly/cli/bin/cli.js", "lint", "--extends=recommended", "--format=json", file];
    const env = { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };
    const run = promisify(execFile)(process.execPath, command, { env });
    // It ends with 1 when it has found an error.
    const { stdout } = await run.catch((error: { stdout: string }) => error);
    return JSON.parse(stdout) as Report;
  } finally {
    await rm(folder, { recursive: true });
  }
}

test("the description passes the linter's recommended rules", async () => {
  const { totals, problems } = await lint(published);
  // What nobody must authenticate for, and takes no parameter, has no 4xx to describe.
  const open = operations.filter(({ auth }) => auth === "none").map(({ path }) => path.replaceAll("/", "~1"));
  const excused = (problem: Report["problems"][number]) =>
    problem.ruleId === "operation-4xx-response" &&
    open.some((path) => problem.location[0]!.pointer.includes(`/${path}/`));
  expect(problems.filter((problem) => !excused(problem))).toEqual([]);
  expect(totals.errors).toBe(0);
});

test("the linter would find a fault", async () => {
  const { totals } = await lint({ ...published, paths: { ...published.paths, "/x": { get: { responses: {} } } } });
  expect(totals.errors).toBeGreaterThan(0);
});

test("every operation is described, under its own name", () => {
  const names = Object.values(published.paths).flatMap((methods) =>
    Object.values(methods).map(({ operationId }) => operationId),
  );
  expect(names.toSorted()).toEqual(operations.map(({ name }) => name).toSorted());
  expect(new Set(names).size).toBe(names.length);
});

test("every code of the table can be answered by an operation, or by the edge before one is found", () => {
  const before = ["method_not_allowed"];
  const answered = new Set<string>([...operations.flatMap(problemsOf), ...before]);
  expect(Object.keys(errorTable).filter((code) => !answered.has(code))).toEqual([]);
});

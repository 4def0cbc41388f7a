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

test("the description passes the linter's recommended rules without a warning", async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), "hub-openapi-"));
  try {
    const file = path.join(folder, "openapi.json");
    await writeFile(file, JSON.stringify(published));
    const bin = "node_modules/@redocly/cli/bin/cli.js";
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [bin, "lint", "--extends=recommended", "--format=json", file],
      {
        env: { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" },
      },
    ).catch((error: { stdout: string }) => error);
    const { totals, problems } = JSON.parse(stdout) as {
      totals: { errors: number; warnings: number };
      problems: { message: string; ruleId: string; location: unknown }[];
    };
    expect(
      problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${JSON.stringify(location)}`),
    ).toEqual([]);
    expect(totals).toMatchObject({ errors: 0, warnings: 0 });
  } finally {
    await rm(folder, { recursive: true });
  }
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

import path from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";
import { chooseUpstreamModel, toUpstreamInput } from "../../server/domain/routing/route-parameters";
import { listInputs, parseStartingCatalogue } from "./starting-catalogues";

/** Types that are newer than the official client's. */
const newer = [
  "bytedance/seedance-2.5/image-to-video",
  "bytedance/seedance-2.5/text-to-video",
  "google/nano-banana-2.1",
  "google/nano-banana-2.1/edit",
  "openai/gpt-image-2.5/flare/edit",
  "openai/gpt-image-2.5/flare/text-to-image",
];
/** Members that an endpoint for an input image ignores. */
const ignored = ["fal-ai/kling-video/v3/standard/image-to-video: aspect_ratio"];

const UNKNOWN_MEMBER = 2353;

test("what fal's routes send has the types of the official client", { timeout: 120_000 }, () => {
  const requests = ["fal.yaml", "mixed.yaml"].flatMap((name) =>
    parseStartingCatalogue(name).models.flatMap((model) =>
      model.routes
        .filter(({ provider }) => provider.kind === "fal")
        .flatMap((route) =>
          listInputs(model).map((input) => ({
            endpoint: chooseUpstreamModel(route, input),
            json: JSON.stringify(toUpstreamInput(route, input)),
          })),
        ),
    ),
  );
  const endpoints = new Set(requests.map(({ endpoint }) => endpoint));
  expect([...endpoints].filter((endpoint) => newer.includes(endpoint)).sort()).toEqual(newer);
  const known = requests.filter(({ endpoint }) => !newer.includes(endpoint));
  const lines = [...new Set(known.map(({ endpoint, json }) => `check("${endpoint}", ${json});`))];
  expect(lines.length).toBeGreaterThan(50);

  const problems = compile(lines).map(({ line, code, member }) => {
    const [, endpoint] = /^check\("([^"]*)"/.exec(lines[line]!)!;
    return code === UNKNOWN_MEMBER ? `${endpoint}: ${member}` : `${lines[line]}: TS${code}`;
  });
  expect([...new Set(problems)]).toEqual(ignored);
});

/** Returns the errors of calls with an endpoint and its input. */
function compile(lines: string[]): { line: number; code: number; member: string }[] {
  const types = path.resolve("node_modules/@fal-ai/client/src/types/endpoints");
  const header = [
    `import type { EndpointTypeMap as M } from ${JSON.stringify(types)};`,
    'declare function check<E extends keyof M>(endpoint: E, input: M[E]["input"]): void;',
  ].join(" ");
  const text = [header, ...lines].join("\n");
  const file = path.resolve("fal-inputs.generated.ts");
  const options: ts.CompilerOptions = {
    noEmit: true,
    strict: true,
    skipLibCheck: true,
    types: [],
    lib: ["lib.es2022.d.ts"],
  };
  const host = ts.createCompilerHost(options);
  const readSource = host.getSourceFile.bind(host);
  host.getSourceFile = (name, version) =>
    name === file ? ts.createSourceFile(name, text, version) : readSource(name, version);
  const program = ts.createProgram([file], options, host);
  return program.getSemanticDiagnostics(program.getSourceFile(file)).map(({ start = 0, length = 0, code }) => ({
    line: text.slice(0, start).split("\n").length - 2,
    code,
    member: text.slice(start, start + length).replaceAll('"', ""),
  }));
}

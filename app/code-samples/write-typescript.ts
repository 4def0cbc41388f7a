import {
  credentialHeader,
  formatJson,
  plainHeaders,
  type SampleBody,
  type SampleRequest,
  SAVED_FILE,
} from "./sample-request";

/** Returns a TypeScript program that makes this request. */
export function writeTypeScript(base: string, request: SampleRequest): string {
  const { method, path, body, result } = request;
  const credential = credentialHeader(request);
  const headers = [
    ...(credential ? [`${credential.name}: \`${credential.prefix}\${${credential.variable}}\``] : []),
    ...plainHeaders(request).map(([name, value]) => `${formatJson(name)}: ${formatJson(value)}`),
  ];
  const options = [
    ...(method === "GET" ? [] : [`method: ${formatJson(method)}`]),
    ...(headers.length > 0 ? [`headers: { ${headers.join(", ")} }`] : []),
    ...(body ? [`body: ${bodyExpression(body)}`] : []),
  ];
  const settings = options.length > 0 ? `, {\n${options.map((option) => `  ${option},\n`).join("")}}` : "";
  return [
    ...importsOf(request),
    ...(credential ? [`const { ${credential.variable} } = process.env;`] : []),
    ...(body?.kind === "form" ? formLines(body.file) : []),
    `const response = await fetch(${formatJson(base + path)}${settings});`,
    "if (!response.ok) throw new Error(await response.text());",
    typeof result === "string" ? results[result] : `console.log((await response.json()).${result.member});`,
  ].join("\n");
}

function bodyExpression(body: SampleBody): string {
  if (body.kind === "form") return "form";
  if (body.kind === "bytes") return `await openAsBlob(${formatJson(body.file)})`;
  return `JSON.stringify(${formatJson(body.value).replaceAll("\n", "\n  ")})`;
}

function importsOf({ body, result }: SampleRequest): string[] {
  const imports = [
    ...(body && body.kind !== "json" ? ['import { openAsBlob } from "node:fs";'] : []),
    ...(result === "file" ? ['import { writeFile } from "node:fs/promises";'] : []),
  ];
  return imports.length > 0 ? [...imports, ""] : [];
}

const formLines = (file: string) => [
  "const form = new FormData();",
  `form.append("file", await openAsBlob("${file}"), "${file}");`,
];

const results = {
  json: "console.log(await response.json());",
  status: "console.log(response.status);",
  headers: "console.log(Object.fromEntries(response.headers));",
  file: `await writeFile("${SAVED_FILE}", Buffer.from(await response.arrayBuffer()));`,
};

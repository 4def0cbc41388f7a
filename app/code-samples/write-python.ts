import { credentialHeader, formatJson, plainHeaders, SAVED_FILE, type SampleRequest } from "./sample-request";

/** Returns a Python program that makes this request with the package `requests`. */
export function writePython(base: string, request: SampleRequest): string {
  const { method, path, body, result } = request;
  const credential = credentialHeader(request);
  const headers = headersOf(request);
  const values = [
    formatJson(base + path),
    ...(headers.length > 0 ? [`headers={${headers.join(", ")}}`] : []),
    ...(body?.kind === "json" ? [`json=${toPython(body.value, "    ")}`] : []),
    ...(body?.kind === "form" ? ['files={"file": file}'] : []),
    ...(body?.kind === "bytes" ? ["data=file"] : []),
  ];
  const call = `response = requests.${method.toLowerCase()}(\n${values.map((value) => `    ${value},\n`).join("")})`;
  return [
    ...(credential ? ["import os"] : []),
    "import requests",
    "",
    ...(body && body.kind !== "json" ? [openFile(body.file, call)] : [call]),
    "response.raise_for_status()",
    typeof result === "string" ? results[result] : `print(response.json()["${result.member}"])`,
  ].join("\n");
}

function headersOf(request: SampleRequest): string[] {
  const credential = credentialHeader(request);
  // `json=` and `files=` set the media type themselves.
  const plain = plainHeaders(request).filter(([name]) => name !== "Content-Type" || request.body?.kind === "bytes");
  return [
    ...(credential ? [`"${credential.name}": f"${credential.prefix}{os.environ['${credential.variable}']}"`] : []),
    ...plain.map(([name, value]) => `${formatJson(name)}: ${formatJson(value)}`),
  ];
}

const openFile = (file: string, call: string) =>
  `with open("${file}", "rb") as file:\n    ${call.replaceAll("\n", "\n    ")}`;

const results = {
  json: "print(response.json())",
  status: "print(response.status_code)",
  headers: "print(response.headers)",
  file: `with open("${SAVED_FILE}", "wb") as target:\n    target.write(response.content)`,
};

/** Returns a JSON value as a Python literal; JSON string escapes are valid in Python too. */
export function toPython(value: unknown, indent = ""): string {
  if (value === null || value === undefined) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value !== "object") return JSON.stringify(value);
  const inner = `${indent}    `;
  const parts = Array.isArray(value)
    ? value.map((one) => toPython(one, inner))
    : Object.entries(value).map(([name, one]) => `${JSON.stringify(name)}: ${toPython(one, inner)}`);
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  if (parts.length === 0) return `${open}${close}`;
  return `${open}\n${parts.map((part) => `${inner}${part},\n`).join("")}${indent}${close}`;
}

import type { Credential, SampleRequest } from "../../code-samples/sample-request";
import { bodyOf, type Operation, type Parameter } from "./document";
import { exampleOf } from "./example-of";

/** The file that a request sends as a form, and the one that it sends as its body. */
const FORM_FILE = "input.png";
const BODY_FILE = "output.png";

/**
 * Returns the example request of an operation: its required parameters, and a body with the members that are required or
 * have an example.
 */
export function sampleRequest(operation: Operation): SampleRequest {
  const { method, path, parameters = [] } = operation;
  const valuesIn = (place: Parameter["in"]) =>
    parameters
      .filter((one) => one.in === place && one.required)
      .map(({ name, schema }) => [name, String(exampleOf(schema))] as const);
  const query = new URLSearchParams(valuesIn("query").map(([name, value]) => [name, value])).toString();
  const filled = valuesIn("path").reduce((text, [name, value]) => text.replace(`{${name}}`, value), path);
  return {
    method,
    path: query ? `${filled}?${query}` : filled,
    headers: Object.fromEntries(valuesIn("header")),
    credential: credentialOf(operation),
    body: sampleBody(operation),
    result: resultOf(operation),
  };
}

const credentials: Record<string, Credential> = {
  apiKey: "key",
  workerToken: "worker",
  operatorToken: "operator",
  session: "session",
};

/** Returns the credential that programs use for an operation; null for a public one. */
export function credentialOf({ security = [] }: Pick<Operation, "security">): Credential | null {
  const [first] = security.flatMap((one) => Object.keys(one));
  return first === undefined ? null : credentials[first]!;
}

function sampleBody(operation: Operation): SampleRequest["body"] {
  const body = bodyOf(operation);
  if (!body) return null;
  if (body.mediaType === "application/json") return { kind: "json", value: exampleOf(body.schema) };
  if (body.mediaType === "multipart/form-data") return { kind: "form", file: FORM_FILE };
  return { kind: "bytes", file: BODY_FILE, mediaType: "image/png" };
}

function resultOf({ method, responses }: Operation): SampleRequest["result"] {
  if (method === "HEAD") return "headers";
  const contents = Object.entries(responses).flatMap(([status, { content }]) =>
    status.startsWith("2") ? Object.keys(content ?? {}) : [],
  );
  if (contents.includes("application/json")) return "json";
  return contents.length > 0 ? "file" : "status";
}

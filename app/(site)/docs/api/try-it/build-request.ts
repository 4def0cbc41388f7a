import type { TriedRequest } from "./send-request";
import type { TriableOperation } from "./triable-operation";

/** The entered values. */
export interface TriedValues {
  values: Record<string, string>;
  /** The JSON body as text. */
  text: string;
  file: File | null;
  token: string | null;
}

const secretNames = { key: "an API key", worker: "a worker token", operator: "an operator token" };

/** Returns the request to send, or a sentence about what it lacks. */
export function buildRequest(operation: TriableOperation, entered: TriedValues): TriedRequest | string {
  const { method, path, parameters, credential, acceptsSession } = operation;
  const { values, token } = entered;
  if (credential && credential !== "session" && !token && !acceptsSession) return `Enter ${secretNames[credential]}.`;
  const missing = parameters.find(({ name, required }) => required && !values[name]);
  if (missing) return `Enter a value for ${missing.name}.`;
  const invalid = findBodyIssue(operation, entered);
  if (invalid) return invalid;
  const given = parameters.filter(({ name }) => values[name]);
  const namesIn = (place: string) => given.filter(({ location }) => location === place).map(({ name }) => name);
  const query = new URLSearchParams(namesIn("query").map((name) => [name, values[name]!])).toString();
  const filled = namesIn("path").reduce(
    (filledPath, name) => filledPath.replace(`{${name}}`, encodeURIComponent(values[name]!)),
    path,
  );
  const { headers, body } = buildBody(operation, entered);
  return {
    method,
    token,
    body,
    path: query ? `${filled}?${query}` : filled,
    headers: { ...Object.fromEntries(namesIn("header").map((name) => [name, values[name]!])), ...headers },
  };
}

function findBodyIssue({ body }: TriableOperation, { text, file }: TriedValues): string | null {
  if (!body) return null;
  if (body.kind !== "json") return file ? null : "Choose a file.";
  try {
    JSON.parse(text);
    return null;
  } catch (error) {
    return `The body is not valid JSON: ${(error as Error).message}`;
  }
}

function buildBody(
  { body }: TriableOperation,
  { text, file }: TriedValues,
): Pick<TriedRequest, "body"> & { headers: Record<string, string> } {
  if (!body) return { headers: {} };
  if (body.kind === "json") return { headers: { "Content-Type": "application/json" }, body: text };
  if (body.kind === "bytes")
    return { headers: { "Content-Type": file!.type || "application/octet-stream" }, body: file! };
  const form = new FormData();
  form.append("file", file!);
  return { headers: {}, body: form };
}

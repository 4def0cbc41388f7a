import { credentialHeader, formatJson, plainHeaders, SAVED_FILE, type SampleRequest } from "./sample-request";

/** Returns a curl command that makes this request. */
export function writeCurl(base: string, request: SampleRequest): string {
  const { method, path, body, result } = request;
  const credential = credentialHeader(request);
  const options = [
    ...(credential ? [`-H "${credential.name}: ${credential.prefix}$${credential.variable}"`] : []),
    ...plainHeaders(request).map(([name, value]) => `-H "${name}: ${value}"`),
    ...(body?.kind === "json" ? [`-d ${quoteForShell(formatJson(body.value))}`] : []),
    ...(body?.kind === "form" ? [`-F "file=@${body.file}"`] : []),
    ...(body?.kind === "bytes" ? [`--data-binary @${body.file}`] : []),
    ...(result === "file" ? [`--output ${SAVED_FILE}`] : []),
  ];
  // Shells interpret the question mark of a query.
  const address = path.includes("?") ? quoteForShell(base + path) : base + path;
  return [`curl ${verbOption(method, body !== null)}${address}`, ...options].join(" \\\n  ");
}

function verbOption(method: string, hasBody: boolean): string {
  if (method === "HEAD") return "--head ";
  return method === (hasBody ? "POST" : "GET") ? "" : `-X ${method} `;
}

/** Returns a text in single quotes; one inside must be closed, escaped and reopened. */
const quoteForShell = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

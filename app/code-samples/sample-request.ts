/** What a program authenticates with. */
export type Credential = "key" | "worker" | "operator" | "session";

/** A request to the hub that a program makes. */
export interface SampleRequest {
  method: string;
  /** Path with its query. */
  path: string;
  /** Headers, without the ones for the credential and the body. */
  headers: Record<string, string>;
  credential: Credential | null;
  body: SampleBody | null;
  /** What the program prints, or `file` to save the response. */
  result: "json" | "status" | "headers" | "file" | { member: string };
}

export type SampleBody =
  | { kind: "json"; value: unknown }
  /** A form whose one part is named `file`. */
  | { kind: "form"; file: string }
  | { kind: "bytes"; file: string; mediaType: string };

/** The file in which a program saves a response. */
export const SAVED_FILE = "download.png";

interface CredentialHeader {
  /** The environment variable that holds the credential. */
  variable: string;
  name: string;
  prefix: string;
}

const credentialHeaders: Record<Credential, CredentialHeader> = {
  key: { variable: "HUB_API_KEY", name: "Authorization", prefix: "Bearer " },
  worker: { variable: "HUB_WORKER_TOKEN", name: "Authorization", prefix: "Bearer " },
  operator: { variable: "HUB_OPERATOR_TOKEN", name: "Authorization", prefix: "Bearer " },
  session: { variable: "HUB_SESSION", name: "Cookie", prefix: ".AspNetCore.Cookies=" },
};

export const credentialHeader = ({ credential }: SampleRequest): CredentialHeader | null =>
  credential && credentialHeaders[credential];

/** Returns the headers of a request, without the one for its credential. A form sets its own media type. */
export function plainHeaders({ headers, body }: SampleRequest): [name: string, value: string][] {
  const type = body?.kind === "json" ? "application/json" : body?.kind === "bytes" ? body.mediaType : null;
  return [...Object.entries(headers), ...(type ? [["Content-Type", type] as [string, string]] : [])];
}

export const formatJson = (value: unknown): string => JSON.stringify(value, null, 2);

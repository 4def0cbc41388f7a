import type { InngestServer } from "../../server/inngest-settings";
import { OperatorError } from "../../server/lib/operator-error";
import { APP_ID } from "../app-id";

/** Returns the name of a server in messages for the operator. */
export const nameServer = ({ kind, url }: InngestServer): string =>
  kind === "cloud" ? `Inngest Cloud at ${url}` : `The Inngest server at ${url}`;

/** Resolves if a server of the expected kind responds in time, else rejects with an OperatorError that contains its address. */
export async function probeServer(server: InngestServer, timeoutMs: number): Promise<void> {
  const { status, serverKind } = await getHealth(server, timeoutMs).catch((cause: unknown) => {
    throw new OperatorError(`${nameServer(server)} does not answer.`, { cause });
  });
  // The cloud documents no health page: any response shows that it is up.
  if (server.kind === "cloud" ? status >= 500 : status !== 200) {
    throw new OperatorError(`${nameServer(server)} answers its health check with ${status}.`);
  }
  if (server.kind === "dev" && serverKind === "cloud") {
    throw new OperatorError(`${nameServer(server)} is not a dev server: set INNGEST_BASE_URL in place of INNGEST_DEV.`);
  }
  // A dev server does not sign its calls, so that every run would fail.
  if (server.kind !== "dev" && serverKind === "dev") {
    throw new OperatorError(`${nameServer(server)} is a dev server: set INNGEST_DEV in place of INNGEST_BASE_URL.`);
  }
}

async function getHealth({ url }: InngestServer, timeoutMs: number) {
  const response = await fetch(new URL("/health", url), { signal: AbortSignal.timeout(timeoutMs) });
  await response.arrayBuffer();
  return { status: response.status, serverKind: response.headers.get("x-inngest-server-kind") };
}

/** Returns whether a dev server, which holds its functions in memory, has lost them in a restart that no check has noticed. */
export async function hasForgottenFunctions({ kind, url }: InngestServer, timeoutMs: number): Promise<boolean> {
  if (kind !== "dev") return false;
  try {
    const response = await fetch(new URL("/dev", url), { signal: AbortSignal.timeout(timeoutMs) });
    const { functions } = (await response.json()) as { functions?: { slug: string }[] };
    return response.ok && Array.isArray(functions) && !functions.some(({ slug }) => slug.startsWith(`${APP_ID}-`));
  } catch {
    // The health check reports a server that does not respond, or not in this format.
    return false;
  }
}

import { operations } from "../../server/api/openapi";
import { root } from "../../server/trpc/root";

/** One method and path that takes a body. */
export interface Door {
  method: string;
  path: string;
  headers: Record<string, string>;
  /** The most bytes that it takes. */
  maxBytes: number;
  /** Around a document. */
  wrap: [before: string, after: string];
}

export interface Credentials {
  key: string;
  workerToken: string;
  /** Of a console session. */
  cookie: string;
}

const MEBIBYTE = 1024 ** 2;
const NOBODY = "019aa535-6c00-7a3e-9b11-5a4f6e0c2d10";

/** Returns every door of the hub that takes a body: REST, workers, the console's calls, sign-in, callbacks and pages. */
export function listDoors(credentials: Credentials): Door[] {
  return [...restDoors(credentials), ...trpcDoors(credentials), ...otherDoors(credentials)];
}

const json = { "content-type": "application/json" };

function restDoors({ key, workerToken, cookie }: Credentials): Door[] {
  const script = { cookie, "x-requested-with": "XMLHttpRequest" };
  return operations
    .filter(({ body, form, upload }) => body ?? form ?? upload)
    .map(({ method, path, auth, bodyBounds }) => ({
      method: method.toUpperCase(),
      path: path.replace("{id}", path.includes("characters") ? "7" : NOBODY).replace("{index}", "0"),
      headers: {
        ...json,
        ...(auth === "session" ? script : { authorization: `Bearer ${auth === "worker" ? workerToken : key}` }),
      },
      maxBytes: bodyBounds?.maxBytes ?? MEBIBYTE,
      wrap: ["", ""],
    }));
}

function trpcDoors({ cookie }: Credentials): Door[] {
  const procedures = Object.entries<unknown>(root._def.procedures) as [string, { _def: { type: string } }][];
  return (
    procedures
      // It would end the session that the others need.
      .filter(([name, { _def }]) => _def.type === "mutation" && name !== "sessions.endAll")
      .map(([name]) => ({
        method: "POST",
        path: `/api/trpc/${name}`,
        headers: { ...json, cookie },
        maxBytes: name === "playground.chat" ? MEBIBYTE : MEBIBYTE / 4,
        wrap: ['{"json":', "}"],
      }))
  );
}

function otherDoors({ cookie }: Credentials): Door[] {
  const paths = [
    "/api/auth/callback/credentials",
    "/api/auth/signin/credentials",
    "/api/auth/session",
    "/api/inngest",
    "/",
    "/sign-in",
    "/overview",
    "/nowhere",
  ];
  return paths.map((path) => ({
    method: "POST",
    path,
    headers: { ...json, cookie },
    maxBytes: MEBIBYTE,
    wrap: ["", ""],
  }));
}

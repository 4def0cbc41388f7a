import { operations } from "../../server/api/openapi";
import { root } from "../../server/trpc/root";

/** A method and path of a route that reads a body. */
export interface BodyRoute {
  method: string;
  path: string;
  headers: Record<string, string>;
  /** The size limit of the body. */
  maxBytes: number;
  /** What goes before and after the hostile document. */
  wrap: [before: string, after: string];
}

export interface Credentials {
  key: string;
  workerToken: string;
  /** Cookie of a console session. */
  cookie: string;
}

const MEBIBYTE = 1024 ** 2;
const MISSING_ID = "019aa535-6c00-7a3e-9b11-5a4f6e0c2d10";

/** Returns every route that reads a body: REST, workers, the console's procedures, sign-in, callbacks and pages. */
export function listBodyRoutes(credentials: Credentials): BodyRoute[] {
  return [...listRestRoutes(credentials), ...listTrpcRoutes(credentials), ...listOtherRoutes(credentials)];
}

const json = { "content-type": "application/json" };

function listRestRoutes({ key, workerToken, cookie }: Credentials): BodyRoute[] {
  const script = { cookie, "x-requested-with": "XMLHttpRequest" };
  return operations
    .filter(({ body, form, upload }) => body ?? form ?? upload)
    .map(({ method, path, auth, bodyBounds }) => ({
      method: method.toUpperCase(),
      path: path.replace("{id}", path.includes("characters") ? "7" : MISSING_ID).replace("{index}", "0"),
      headers: {
        ...json,
        ...(auth === "session" ? script : { authorization: `Bearer ${auth === "worker" ? workerToken : key}` }),
      },
      maxBytes: bodyBounds?.maxBytes ?? MEBIBYTE,
      wrap: ["", ""],
    }));
}

function listTrpcRoutes({ cookie }: Credentials): BodyRoute[] {
  const procedures = Object.entries<unknown>(root._def.procedures) as [string, { _def: { type: string } }][];
  return (
    procedures
      // That procedure would end the session that the others need.
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

function listOtherRoutes({ cookie }: Credentials): BodyRoute[] {
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

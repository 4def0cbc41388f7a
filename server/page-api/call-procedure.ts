import { callTRPCProcedure, TRPCError } from "@trpc/server";
import type { Caller } from "../trpc/procedure";
import { root } from "../trpc/root";

interface Call {
  type: "query" | "mutation";
  /** Such as "keys.create". */
  path: string;
  input: unknown;
}

/** Calls one of the console's procedures for a page that is being rendered, without an HTTP request. */
export const callProcedure = (caller: Caller, { type, path, input }: Call): Promise<unknown> =>
  callTRPCProcedure({
    router: root,
    path,
    type,
    ctx: caller,
    getRawInput: () => Promise.resolve(input),
    signal: undefined,
    batchIndex: 0,
  });

/** Returns tRPC's code of the error with which a procedure failed; null for any other error. */
export const getProcedureErrorCode = (error: unknown): TRPCError["code"] | null =>
  error instanceof TRPCError ? error.code : null;

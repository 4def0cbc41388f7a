import type { TRPCLink } from "@trpc/client";
import { observable } from "@trpc/server/observable";
import type { DisplayedError } from "@/server/trpc/error";
import type { Root } from "@/server/trpc/root";
import { requestProof } from "../factors/proof-request";

/** Repeats a mutation once after the person has proved who they are, where the hub demands that. */
export const proofLink: TRPCLink<Root> =
  () =>
  ({ op, next }) =>
    observable((observer) => {
      let current = next(op).subscribe({
        ...observer,
        error: (error) => {
          if (!(error.data as Partial<DisplayedError> | null)?.needsProof) return observer.error(error);
          void requestProof().then((isProved) => {
            if (isProved) current = next(op).subscribe(observer);
            else observer.error(error);
          });
        },
      });
      return () => current.unsubscribe();
    });

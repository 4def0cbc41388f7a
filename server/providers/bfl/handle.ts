/** What a poll needs to find a job, kept as its upstream id. */
export interface Handle {
  id: string;
  /** Null when upstream gave none: it does not when it calls back, and callbacks have only the id. */
  pollingUrl: string | null;
}

export const formatHandle = (handle: Handle): string => JSON.stringify(handle);

/** Reads what `formatHandle` has written. */
export const parseHandle = (upstreamId: string): Handle => JSON.parse(upstreamId) as Handle;

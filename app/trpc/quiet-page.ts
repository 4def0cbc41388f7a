import { focusManager, type Query, type QueryClient } from "@tanstack/react-query";

/** How long after the last touch a page becomes quiet. */
const TOUCHED_MS = 60_000;
/** The first pause between two reads of a quiet page, which doubles while nothing new is found. */
const MIN_QUIET_POLL_MS = 10_000;
export const MAX_QUIET_POLL_MS = 1_280_000;

let touchedAt = Date.now();
const isQuiet = () => Date.now() - touchedAt >= TOUCHED_MS;

/**
 * Returns the poll interval in ms of data whose changes no stream reports; false while the page is quiet, when
 * `readWhileQuiet` reads it.
 */
export const pollUnlessQuiet = (intervalMs: number): number | false => !isQuiet() && intervalMs;

/** Events by which a person uses a page or returns to it. */
const TOUCHES = ["pointerdown", "pointermove", "wheel", "keydown", "focus"];

/**
 * Fetches what a page polls while nobody uses it: all in one request, at pauses that grow until something is new, so that
 * pages that are left open cost the hub little. Fetches it at once when a person returns. Returns how to stop.
 */
export function readWhileQuiet(client: QueryClient, page: EventTarget): () => void {
  let pauseMs = MIN_QUIET_POLL_MS;
  let timer: ReturnType<typeof setTimeout>;

  const poll = async () => {
    if (!isQuiet()) pauseMs = MIN_QUIET_POLL_MS;
    else if (focusManager.isFocused()) pauseMs = (await readPolled(client)) ? MIN_QUIET_POLL_MS : 2 * pauseMs;
    schedule();
  };
  const schedule = () => {
    clearTimeout(timer);
    timer = setTimeout(() => void poll(), Math.min(pauseMs, MAX_QUIET_POLL_MS));
  };
  const touch = () => {
    const hasReturned = isQuiet();
    touchedAt = Date.now();
    if (hasReturned) void readPolled(client);
  };
  for (const name of TOUCHES) page.addEventListener(name, touch, { passive: true });
  schedule();
  return () => {
    for (const name of TOUCHES) page.removeEventListener(name, touch);
    clearTimeout(timer);
  };
}

/** Fetches again the active queries whose `refetchInterval` is a function. Returns whether any of them has new data. */
async function readPolled(client: QueryClient): Promise<boolean> {
  const queries = client.getQueryCache().findAll({ type: "active", predicate: isPolled });
  const before = queries.map(({ state }) => state.data);
  await client.refetchQueries({ type: "active", predicate: isPolled });
  return queries.some(({ state }, n) => state.data !== before[n]);
}

const isPolled = ({ observers }: Query): boolean =>
  observers.some(({ options }) => typeof options.refetchInterval === "function");

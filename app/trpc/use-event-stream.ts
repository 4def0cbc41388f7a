import { type RefObject, useEffect, useRef } from "react";

const RETRY_MS = 3_000;
/** Events that arrive together cause one call. */
const GATHER_MS = 150;

/**
 * Follows a stream of the hub's API with the session of the console while `path` is given and the page is visible, and calls
 * `onEvent` after its events. Returns whether it is open, so that a query polls while it is not.
 */
export function useEventStream(path: string | null, onEvent: () => void): RefObject<boolean> {
  const isOpen = useRef(false);
  const latest = useRef(onEvent);
  useEffect(() => {
    latest.current = onEvent;
  });
  useEffect(() => {
    if (path === null) return;
    let leaving: AbortController | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const gather = () => {
      timer ??= setTimeout(() => {
        timer = undefined;
        latest.current();
      }, GATHER_MS);
    };
    // A browser has few connections to a host, so hidden pages leave theirs to others.
    const openWhileVisible = () => {
      leaving?.abort();
      leaving = new AbortController();
      if (document.visibilityState === "visible") void follow(path, leaving.signal, { isOpen, gather });
    };
    document.addEventListener("visibilitychange", openWhileVisible);
    openWhileVisible();
    return () => {
      document.removeEventListener("visibilitychange", openWhileVisible);
      leaving?.abort();
      clearTimeout(timer);
    };
  }, [path]);
  return isOpen;
}

interface Reader {
  isOpen: RefObject<boolean>;
  gather: () => void;
}

/** Reads a stream until it is complete, is rejected or the signal aborts; continues it when it breaks. */
async function follow(path: string, signal: AbortSignal, { isOpen, gather }: Reader): Promise<void> {
  let lastId: string | undefined;
  while (!signal.aborted) {
    try {
      const headers = {
        "X-Requested-With": "XMLHttpRequest",
        ...(lastId !== undefined && { "Last-Event-ID": lastId }),
      };
      const response = await fetch(path, { headers, signal });
      if (isOver(response)) return;
      isOpen.current = response.ok;
      for await (const text of readText(response)) {
        lastId = [...text.matchAll(/(?<![^\n])id: ([^\n]*)\n/g)].at(-1)?.[1] ?? lastId;
        if (response.ok && text.includes("data: ")) gather();
      }
    } catch {
      // The connection broke, or the page is left.
    } finally {
      isOpen.current = false;
    }
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
}

/** Returns whether a stream has sent its last event, or is rejected for good. */
const isOver = ({ status }: Response): boolean => status === 204 || (status >= 400 && status < 500 && status !== 429);

/** Yields the text of a response as it arrives. */
export async function* readText(response: Response): AsyncGenerator<string> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
    if (done || value === undefined) return;
    yield value;
  }
}

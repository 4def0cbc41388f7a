const HEARTBEAT_INTERVAL_MS = 15_000;
const MIN_HEARTBEAT_INTERVAL_MS = 500;

/** Calls `sendHeartbeat` at intervals, one call at a time; `sendSoon` shortens the wait when there is a report. */
export function startHeartbeats(sendHeartbeat: () => Promise<void>) {
  let timer: NodeJS.Timeout;
  let state: "waiting" | "sending" | "sending_with_next_due" | "stopped" = "waiting";
  let sentAt = performance.now();
  const wait = (ms: number) => {
    clearTimeout(timer);
    state = "waiting";
    timer = setTimeout(() => void send(), ms);
  };
  const waitBriefly = () => wait(Math.max(0, MIN_HEARTBEAT_INTERVAL_MS - (performance.now() - sentAt)));
  const send = async () => {
    state = "sending";
    await sendHeartbeat();
    sentAt = performance.now();
    if (isState("sending_with_next_due")) waitBriefly();
    else if (isState("sending")) wait(HEARTBEAT_INTERVAL_MS);
  };
  // A function, because TypeScript cannot know that the state changes while a heartbeat is sent.
  const isState = (expected: typeof state) => state === expected;
  wait(HEARTBEAT_INTERVAL_MS);
  return {
    sendSoon() {
      if (state === "waiting") waitBriefly();
      else if (state === "sending") state = "sending_with_next_due";
    },
    stop() {
      state = "stopped";
      clearTimeout(timer);
    },
  };
}

const BEAT_MS = 15_000;
const MIN_BEAT_MS = 500;

/** Beats now and then, and soon when there is something to tell; one beat at a time. */
export function startPulse(beat: () => Promise<void>) {
  let timer: NodeJS.Timeout;
  let state: "waiting" | "beating" | "told" | "stopped" = "waiting";
  let last = performance.now();
  const wait = (ms: number) => {
    clearTimeout(timer);
    state = "waiting";
    timer = setTimeout(() => void run(), ms);
  };
  const soon = () => wait(Math.max(0, MIN_BEAT_MS - (performance.now() - last)));
  const run = async () => {
    state = "beating";
    await beat();
    last = performance.now();
    if (is("told")) soon();
    else if (is("beating")) wait(BEAT_MS);
  };
  // It changes while a beat is under way.
  const is = (one: typeof state) => state === one;
  wait(BEAT_MS);
  return {
    soon() {
      if (state === "waiting") soon();
      else if (state === "beating") state = "told";
    },
    stop() {
      state = "stopped";
      clearTimeout(timer);
    },
  };
}

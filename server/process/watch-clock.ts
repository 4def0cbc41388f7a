import { MAX_CLOCK_SKEW_SECONDS, measureClockSkew } from "../domain/health";
import type { Hub } from "../domain/hub";

const INTERVAL_MS = 60_000;

/** Logs when the clocks of this machine and the database differ by more than a second, and when they agree again. */
export function watchClock(hub: Hub): () => Promise<void> {
  let isSkewed = false;
  const check = async () => {
    const seconds = await measureClockSkew(hub);
    if (Math.abs(seconds) > MAX_CLOCK_SKEW_SECONDS === isSkewed) return;
    isSkewed = !isSkewed;
    if (isSkewed)
      hub.log.warn(
        { seconds },
        "this machine's clock differs from the database's: synchronize both, or deadlines and limits are wrong",
      );
    else hub.log.info("this machine's clock agrees with the database's again");
  };
  // While the database is unavailable there is nothing to compare with.
  const run = () => check().catch(() => undefined);
  let checking = run();
  const timer = setInterval(() => void (checking = run()), INTERVAL_MS);
  return async () => {
    clearInterval(timer);
    await checking;
  };
}

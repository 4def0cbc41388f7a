import "../load-env.mjs";
import { describeFatalError } from "../../server/lib/operator-error";
import { runTour } from "./run-tour";

try {
  await runTour(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`${describeFatalError(error)}\n`);
  process.exit(1);
}

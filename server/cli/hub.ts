import { createLog, logWarnings } from "../lib/log";
import { describeFatalError } from "../lib/operator-error";
import { createProgram } from "./program";

logWarnings(createLog({ LOG_LEVEL: "warn" }));
try {
  await (await createProgram(process.argv[2])).parseAsync();
} catch (error) {
  process.stderr.write(`${describeFatalError(error)}\n`);
  process.exitCode = 1;
}

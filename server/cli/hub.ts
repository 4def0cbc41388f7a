import { describeFatalError } from "../lib/operator-error";
import { createProgram } from "./program";

try {
  await createProgram().parseAsync();
} catch (error) {
  process.stderr.write(`${describeFatalError(error)}\n`);
  process.exitCode = 1;
}

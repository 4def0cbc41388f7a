import { Command } from "commander";
import { describeFatalError } from "../process/explain";
import { addAccount } from "./account";
import { addAudit } from "./audit";
import { addCatalogue } from "./catalogue";
import { addCredit } from "./credit";
import { addJobs } from "./jobs";
import { addKey } from "./key";
import { addListen } from "./listen";
import { addWorkerToken } from "./worker-token";

const program = new Command("hub").description("the operator's commands").showHelpAfterError();
for (const add of [addAccount, addKey, addCredit, addCatalogue, addJobs, addAudit, addListen, addWorkerToken])
  add(program);

try {
  await program.parseAsync();
} catch (error) {
  process.stderr.write(`${describeFatalError(error)}\n`);
  process.exitCode = 1;
}

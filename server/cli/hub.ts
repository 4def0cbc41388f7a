import { Command } from "commander";
import { describeFatalError } from "../lib/operator-error";
import { addAccountCommands } from "./account";
import { addAuditCommand } from "./audit";
import { addCatalogueCommands } from "./catalogue";
import { addCreditCommands } from "./credit";
import { addJobsCommand } from "./jobs";
import { addKeyCommands } from "./key";
import { addListenCommand } from "./listen";
import { addProviderCommands } from "./provider";
import { addWorkerTokenCommands } from "./worker-token";

const program = new Command("hub").description("commands for the operator of a hub").showHelpAfterError();
for (const addCommands of [
  addAccountCommands,
  addKeyCommands,
  addCreditCommands,
  addCatalogueCommands,
  addProviderCommands,
  addJobsCommand,
  addAuditCommand,
  addListenCommand,
  addWorkerTokenCommands,
])
  addCommands(program);

try {
  await program.parseAsync();
} catch (error) {
  process.stderr.write(`${describeFatalError(error)}\n`);
  process.exitCode = 1;
}

import { Command } from "commander";
import { addAccountCommands } from "./account";
import { addAuditCommand } from "./audit";
import { addBackupCommands } from "./backup";
import { addCatalogueCommands } from "./catalogue";
import { addCreditCommands } from "./credit";
import { addDoctorCommand } from "./doctor";
import { addJobsCommand } from "./jobs";
import { addKeyCommands } from "./key";
import { addListenCommand } from "./listen";
import { addOperatorCommands } from "./operator";
import { addPersonCommands } from "./person";
import { addPaymentCommands } from "./payment";
import { addProviderCommands } from "./provider";
import { addSecretCommands } from "./secret";
import { addStatsCommand } from "./stats";
import { addWorkerTokenCommands } from "./worker-token";

/** Returns the commands of `npm run hub`. */
export function createProgram(): Command {
  const program = new Command("hub").description("commands for the operator of a hub").showHelpAfterError();
  for (const addCommands of [
    addAccountCommands,
    addKeyCommands,
    addOperatorCommands,
    addPersonCommands,
    addCreditCommands,
    addCatalogueCommands,
    addPaymentCommands,
    addProviderCommands,
    addJobsCommand,
    addAuditCommand,
    addDoctorCommand,
    addStatsCommand,
    addBackupCommands,
    addListenCommand,
    addWorkerTokenCommands,
    addSecretCommands,
  ])
    addCommands(program);
  return program;
}

/** Returns the names of all commands, such as "account create". */
export const listCommands = (): string[] => listNames(createProgram());

const listNames = (parent: Command, prefix = ""): string[] =>
  parent.commands.flatMap((command) => {
    const name = `${prefix}${command.name()}`;
    return command.commands.length > 0 ? listNames(command, `${name} `) : [name];
  });

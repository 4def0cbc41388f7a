import { Command } from "commander";

type AddCommands = (program: Command) => void;

/** The top-level commands in the order of the help. A call loads the code of its own command only. */
const commands = new Map<string, () => Promise<AddCommands>>([
  ["account", async () => (await import("./account")).addAccountCommands],
  ["key", async () => (await import("./key")).addKeyCommands],
  ["operator", async () => (await import("./operator")).addOperatorCommands],
  ["person", async () => (await import("./person")).addPersonCommands],
  ["credit", async () => (await import("./credit")).addCreditCommands],
  ["voucher", async () => (await import("./voucher")).addVoucherCommands],
  ["catalogue", async () => (await import("./catalogue")).addCatalogueCommands],
  ["sample", async () => (await import("./sample")).addSampleCommands],
  ["book", async () => (await import("./book")).addBookCommands],
  ["payment", async () => (await import("./payment")).addPaymentCommands],
  ["tax", async () => (await import("./tax")).addTaxCommands],
  ["provider", async () => (await import("./provider")).addProviderCommands],
  ["reconcile", async () => (await import("./reconcile")).addReconcileCommand],
  ["jobs", async () => (await import("./jobs")).addJobsCommand],
  ["audit", async () => (await import("./audit")).addAuditCommand],
  ["alert", async () => (await import("./alert")).addAlertCommands],
  ["doctor", async () => (await import("./doctor")).addDoctorCommand],
  ["stats", async () => (await import("./stats")).addStatsCommand],
  ["backup", async () => (await import("./backup")).addBackupCommands],
  ["restore", async () => (await import("./backup")).addBackupCommands],
  ["export", async () => (await import("./export")).addExportCommand],
  ["listen", async () => (await import("./listen")).addListenCommand],
  ["worker-token", async () => (await import("./worker-token")).addWorkerTokenCommands],
  ["share", async () => (await import("./share")).addShareCommands],
  ["secret", async () => (await import("./secret")).addSecretCommands],
]);

/** Returns the commands of `npm run hub`, or of one top-level command if `name` is one. */
export async function createProgram(name = ""): Promise<Command> {
  const program = new Command("hub").description("commands for the operator of a hub").showHelpAfterError();
  const load = commands.get(name);
  const loaded = load ? [await load()] : await Promise.all([...commands.values()].map((loadOther) => loadOther()));
  // A file may have several commands.
  for (const addCommands of new Set(loaded)) addCommands(program);
  return program;
}

/** Returns the names of all commands, such as "account create". */
export const listCommands = async (): Promise<string[]> => listNames(await createProgram());

const listNames = (parent: Command, prefix = ""): string[] =>
  parent.commands.flatMap((command) => {
    const name = `${prefix}${command.name()}`;
    return command.commands.length > 0 ? listNames(command, `${name} `) : [name];
  });

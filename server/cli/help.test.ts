import type { Command } from "commander";
import { expect, test } from "vitest";
import { createProgram, listCommands } from "./program";

const findCommand = (program: Command, path: string) =>
  path.split(" ").reduce((parent, name) => parent.commands.find((command) => command.name() === name)!, program);

const program = await createProgram();

test.each(await listCommands())("%s explains itself", (path) => {
  const command = findCommand(program, path);
  const help = command.helpInformation();
  expect(help).toContain(`Usage: hub ${path}`);
  expect(command.description()).not.toBe("");
  for (const { flags } of command.options) expect(help).toContain(flags);
});

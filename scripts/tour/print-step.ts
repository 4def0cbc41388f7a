let steps = 0;

/** Prints a line of the tour with its number. */
export const printStep = (text: string): void =>
  void process.stdout.write(`${String((steps += 1)).padStart(2)}. ${text}\n`);

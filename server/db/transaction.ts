/**
 * Runs `work` between BEGIN and COMMIT of the connection that `query` uses, and rolls back when it throws. A rollback
 * fails only when its connection does, and is then reported to `onBroken`.
 */
export async function inTransaction<T>(
  query: (text: string) => Promise<unknown>,
  work: () => Promise<T>,
  onBroken: (error: Error) => void = () => undefined,
): Promise<T> {
  await query("BEGIN");
  try {
    const result = await work();
    await query("COMMIT");
    return result;
  } catch (error) {
    await query("ROLLBACK").catch(onBroken);
    throw error;
  }
}

type Settle = (isProved: boolean) => void;

let ask: ((settle: Settle) => void) | null = null;

/** Sets the function that asks for a confirmation on this page; null for none. */
export const setProver = (prover: typeof ask): void => void (ask = prover);

/** Asks the person to confirm their identity; false if they cancel, or if the page cannot ask. */
export const requestProof = (): Promise<boolean> => new Promise((resolve) => (ask ? ask(resolve) : resolve(false)));

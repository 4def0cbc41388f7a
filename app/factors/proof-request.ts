type Settle = (isProved: boolean) => void;

let ask: ((settle: Settle) => void) | null = null;

/** Sets what asks for a proof on this page; null for nothing. */
export const setProver = (prover: typeof ask): void => void (ask = prover);

/** Asks the person to prove who they are; false if they cancel, or where the page cannot ask. */
export const requestProof = (): Promise<boolean> => new Promise((resolve) => (ask ? ask(resolve) : resolve(false)));

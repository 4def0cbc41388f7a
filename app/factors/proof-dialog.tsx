"use client";

import { useEffect, useState } from "react";
import { loadOverlay } from "../ui/load-overlays";
import { setProver } from "./proof-request";

const ProofPanel = loadOverlay((overlays) => overlays.ProofPanel);

/**
 * Asks the person to confirm their identity when a mutation requires it; `withProof` then repeats the mutation. One
 * confirmation counts for all that wait.
 */
export function ProofDialog() {
  const [waiting, setWaiting] = useState<((isProved: boolean) => void)[]>([]);
  useEffect(() => {
    setProver((settle) => setWaiting((all) => [...all, settle]));
    return () => setProver(null);
  }, []);
  const end = (isProved: boolean) => {
    for (const settle of waiting) settle(isProved);
    setWaiting([]);
  };
  return waiting[0] && <ProofPanel onEnd={end} />;
}

"use client";

import { GiveFactor, type ProofWay } from "../../../factors/give-factor";

/** Asks for the second factor of a sign-in, and then opens `next` with a full load, which drops data without a session. */
export const Verify = ({ ways, next }: { ways: ProofWay[]; next: string }) => (
  <GiveFactor ways={ways} onDone={() => window.location.assign(next)} />
);

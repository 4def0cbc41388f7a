"use client";

import { GiveFactor, type ProofWay } from "../../../factors/give-factor";

/** Asks for the second factor, and then opens `next` with a full page load, which drops data fetched without a session. */
export const Verify = ({ ways, next }: { ways: ProofWay[]; next: string }) => (
  <GiveFactor ways={ways} onDone={() => window.location.assign(next)} />
);

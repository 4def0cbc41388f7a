"use client";

import { useEnds } from "../../../trpc/use-ends";

/** How each move of a character ends: every page of characters asks anew, and so does what shows the balance. */
export const useMove = () => useEnds((trpc) => [trpc.characters.pathFilter(), trpc.account.get.queryFilter()]);

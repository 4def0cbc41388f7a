"use client";

import { useMutationHandlers } from "../../../trpc/use-mutation-handlers";

/** How each move of a character ends: every page of characters asks anew, and so does what shows the balance. */
export const useCharacterAction = () =>
  useMutationHandlers((trpc) => [trpc.characters.pathFilter(), trpc.account.get.queryFilter()]);

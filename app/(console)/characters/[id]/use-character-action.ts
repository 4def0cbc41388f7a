"use client";

import { useMutationHandlers } from "../../../trpc/use-mutation-handlers";

/** Returns mutation handlers that also refresh the characters and the balance. */
export const useCharacterAction = () =>
  useMutationHandlers((trpc) => [trpc.characters.pathFilter(), trpc.account.get.queryFilter()]);

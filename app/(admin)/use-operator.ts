"use client";

import { useAccess } from "../ui/access-context";

/** Returns whether the person may make changes; auditors can only read. */
export const useIsOperator = (): boolean => useAccess().hubRole === "operator";

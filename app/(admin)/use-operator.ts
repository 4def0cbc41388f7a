"use client";

import { useAccess } from "../ui/access-context";

/** Returns whether the person may change something; an auditor only reads. */
export const useIsOperator = (): boolean => useAccess().hubRole === "operator";

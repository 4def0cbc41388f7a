"use client";

import { createContext, type ReactNode, useContext } from "react";
import type { HubRole, Permission } from "@/server/context";

interface Access {
  permissions: readonly Permission[];
  /** Null for people who neither operate nor audit the hub. */
  hubRole: HubRole | null;
  /** Whether an operator or auditor views somebody else's account. */
  isViewing: boolean;
  /** Whether this hub lets people share outputs by links. */
  canShare: boolean;
}

const AccessContext = createContext<Access>({ permissions: [], hubRole: null, isViewing: false, canShare: false });

/** Provides the person's permissions to the components below. The server checks every request itself. */
export const AccessProvider = ({ children, ...access }: Access & { children: ReactNode }) => (
  <AccessContext value={access}>{children}</AccessContext>
);

/** Returns what the person may do. */
export const useAccess = (): Access => useContext(AccessContext);

/** Returns whether the person may do this in the account. */
export const usePermission = (permission: Permission): boolean => useAccess().permissions.includes(permission);

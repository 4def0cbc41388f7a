"use client";

import { createContext, useContext } from "react";

/** The id of the account whose data the browser keeps. */
export const StorageAccount = createContext(0);

/** Returns the id of the account whose data the browser keeps. */
export const useStorageAccount = (): number => useContext(StorageAccount);

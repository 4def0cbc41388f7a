"use client";

import dynamic from "next/dynamic";
import { partNotLoaded } from "../ui/part-not-loaded";

// Few sessions show these parts of the frame, so their scripts are loaded on demand.
export const AccountSwitcher = dynamic(() =>
  import("./account-switcher").then((part) => part.AccountSwitcher, partNotLoaded),
);
export const ViewBanner = dynamic(() => import("./view-banner").then((part) => part.ViewBanner, partNotLoaded));
export const ClosingBanner = dynamic(() =>
  import("./closing-banner").then((part) => part.ClosingBanner, partNotLoaded),
);

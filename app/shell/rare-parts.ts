"use client";

import dynamic from "next/dynamic";

// Parts of the frame that few sessions show. The others do not load their scripts.
export const AccountSwitcher = dynamic(() => import("./account-switcher").then((part) => part.AccountSwitcher));
export const ViewBanner = dynamic(() => import("./view-banner").then((part) => part.ViewBanner));

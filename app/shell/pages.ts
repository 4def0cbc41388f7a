import { KeyRound, LayoutDashboard, type LucideIcon, Settings } from "lucide-react";

export interface ConsolePage {
  path: string;
  title: string;
  Icon: LucideIcon;
}

/** The pages of the console in the order of its navigation. */
export const consolePages: ConsolePage[] = [
  { path: "/overview", title: "Overview", Icon: LayoutDashboard },
  { path: "/keys", title: "API keys", Icon: KeyRound },
  { path: "/settings", title: "Settings", Icon: Settings },
];

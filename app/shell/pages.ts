import {
  Boxes,
  CircleAlert,
  Cpu,
  Files,
  KeyRound,
  LayoutDashboard,
  type LucideIcon,
  Rocket,
  Settings,
  Sparkles,
  UserRound,
  Wallet,
  WandSparkles,
  Webhook,
} from "lucide-react";

export interface ConsolePage {
  path: string;
  title: string;
  Icon: LucideIcon;
  /** The key that opens it after `g`. */
  letter?: string;
}

/** The pages of the console, in navigation order. */
export const consolePages: ConsolePage[] = [
  { path: "/overview", title: "Overview", Icon: LayoutDashboard, letter: "o" },
  { path: "/generations", title: "Generations", Icon: Sparkles, letter: "g" },
  { path: "/playground", title: "Playground", Icon: WandSparkles, letter: "p" },
  { path: "/models", title: "Models", Icon: Boxes, letter: "m" },
  { path: "/files", title: "Files", Icon: Files, letter: "f" },
  { path: "/characters", title: "Characters", Icon: UserRound, letter: "c" },
  { path: "/workers", title: "Workers", Icon: Cpu, letter: "w" },
  { path: "/keys", title: "API keys", Icon: KeyRound, letter: "k" },
  { path: "/quickstarts", title: "Quick starts", Icon: Rocket, letter: "q" },
  { path: "/requests", title: "Requests", Icon: CircleAlert, letter: "r" },
  { path: "/webhooks", title: "Webhooks", Icon: Webhook, letter: "h" },
  { path: "/balance", title: "Balance", Icon: Wallet, letter: "b" },
  { path: "/settings", title: "Settings", Icon: Settings, letter: "s" },
];

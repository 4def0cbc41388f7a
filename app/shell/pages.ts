import {
  Boxes,
  CircleAlert,
  Cpu,
  Files,
  KeyRound,
  LayoutDashboard,
  type LucideIcon,
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
}

/** The pages of the console, in navigation order. */
export const consolePages: ConsolePage[] = [
  { path: "/overview", title: "Overview", Icon: LayoutDashboard },
  { path: "/generations", title: "Generations", Icon: Sparkles },
  { path: "/playground", title: "Playground", Icon: WandSparkles },
  { path: "/models", title: "Models", Icon: Boxes },
  { path: "/files", title: "Files", Icon: Files },
  { path: "/characters", title: "Characters", Icon: UserRound },
  { path: "/workers", title: "Workers", Icon: Cpu },
  { path: "/keys", title: "API keys", Icon: KeyRound },
  { path: "/requests", title: "Requests", Icon: CircleAlert },
  { path: "/webhooks", title: "Webhooks", Icon: Webhook },
  { path: "/balance", title: "Balance", Icon: Wallet },
  { path: "/settings", title: "Settings", Icon: Settings },
];

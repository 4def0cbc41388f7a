import type { Permission } from "@/server/context";
import {
  Activity,
  Boxes,
  ChartColumnStacked,
  CircleAlert,
  Cpu,
  CreditCard,
  Files,
  KeyRound,
  Layers,
  LayoutDashboard,
  type LucideIcon,
  Megaphone,
  PiggyBank,
  Plug,
  Rocket,
  ScrollText,
  Settings,
  Sparkles,
  TicketPercent,
  UserRound,
  Users,
  Wallet,
  WandSparkles,
  Webhook,
} from "lucide-react";

export interface ConsolePage {
  path: string;
  /** The permission that it requires. */
  access: Permission;
  title: string;
  Icon: LucideIcon;
  /** The key that opens it after `g`. */
  letter?: string;
}

/** The pages of the console, in navigation order. */
export const consolePages: ConsolePage[] = [
  { path: "/overview", access: "self", title: "Overview", Icon: LayoutDashboard, letter: "o" },
  { path: "/generations", access: "read", title: "Generations", Icon: Sparkles, letter: "g" },
  { path: "/batches", access: "read", title: "Batches", Icon: Layers },
  { path: "/playground", access: "develop", title: "Playground", Icon: WandSparkles, letter: "p" },
  { path: "/models", access: "self", title: "Models", Icon: Boxes, letter: "m" },
  { path: "/files", access: "read", title: "Files", Icon: Files, letter: "f" },
  { path: "/characters", access: "read", title: "Characters", Icon: UserRound, letter: "c" },
  { path: "/workers", access: "read", title: "Workers", Icon: Cpu, letter: "w" },
  { path: "/keys", access: "read", title: "API keys", Icon: KeyRound, letter: "k" },
  { path: "/quickstarts", access: "self", title: "Quick starts", Icon: Rocket, letter: "q" },
  { path: "/requests", access: "read", title: "Requests", Icon: CircleAlert, letter: "r" },
  { path: "/webhooks", access: "read", title: "Webhooks", Icon: Webhook, letter: "h" },
  { path: "/usage", access: "billing", title: "Usage", Icon: ChartColumnStacked, letter: "u" },
  { path: "/balance", access: "billing", title: "Balance", Icon: Wallet, letter: "b" },
  { path: "/budgets", access: "billing", title: "Budgets", Icon: PiggyBank },
  { path: "/members", access: "manage", title: "Members", Icon: Users },
  { path: "/settings", access: "self", title: "Settings", Icon: Settings, letter: "s" },
];

/** Returns the pages that a person with these permissions may open. */
export const listPages = (permissions: readonly Permission[]): ConsolePage[] =>
  consolePages.filter(({ access }) => permissions.includes(access));

/** Returns the page that a path belongs to; null if no page matches. */
export const findPage = (path: string): ConsolePage | null =>
  consolePages.find(
    (page) => path === page.path || path.startsWith(`${page.path}/`) || path.startsWith(`${page.path}?`),
  ) ?? null;

interface AdminPage {
  path: string;
  title: string;
  Icon: LucideIcon;
}

/** The pages of the operator's console, in navigation order. */
export const adminPages: AdminPage[] = [
  { path: "/admin", title: "Status", Icon: Activity },
  { path: "/admin/accounts", title: "Accounts", Icon: Users },
  { path: "/admin/payments", title: "Payments", Icon: CreditCard },
  { path: "/admin/vouchers", title: "Vouchers", Icon: TicketPercent },
  { path: "/admin/catalogue", title: "Catalogue", Icon: Boxes },
  { path: "/admin/providers", title: "Providers", Icon: Plug },
  { path: "/admin/workers", title: "Workers", Icon: Cpu },
  { path: "/admin/tokens", title: "API tokens", Icon: KeyRound },
  { path: "/admin/announcement", title: "Announcement", Icon: Megaphone },
  { path: "/admin/audit-log", title: "Audit log", Icon: ScrollText },
];

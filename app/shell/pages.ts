import type { Permission } from "@/server/context";
import {
  Activity,
  BookOpen,
  Boxes,
  ChartColumnStacked,
  CircleAlert,
  Cpu,
  CreditCard,
  Files,
  Images,
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
  /** The group of the navigation that it belongs to; the first page has none. */
  group?: "Create" | "Observe" | "Integrate" | "Manage";
  Icon: LucideIcon;
  /** The key that opens it after `g`. */
  letter?: string;
}

/** The pages of the console, in navigation order. */
export const consolePages: ConsolePage[] = [
  { path: "/overview", access: "self", title: "Overview", Icon: LayoutDashboard, letter: "o" },
  { path: "/playground", group: "Create", access: "develop", title: "Playground", Icon: WandSparkles, letter: "p" },
  { path: "/models", group: "Create", access: "self", title: "Models", Icon: Boxes, letter: "m" },
  { path: "/characters", group: "Create", access: "read", title: "Characters", Icon: UserRound, letter: "c" },
  { path: "/files", group: "Create", access: "read", title: "Files", Icon: Files, letter: "f" },
  { path: "/generations", group: "Observe", access: "read", title: "Generations", Icon: Sparkles, letter: "g" },
  { path: "/batches", group: "Observe", access: "read", title: "Batches", Icon: Layers },
  { path: "/requests", group: "Observe", access: "read", title: "Requests", Icon: CircleAlert, letter: "r" },
  { path: "/usage", group: "Observe", access: "billing", title: "Usage", Icon: ChartColumnStacked, letter: "u" },
  { path: "/keys", group: "Integrate", access: "read", title: "API keys", Icon: KeyRound, letter: "k" },
  { path: "/quickstarts", group: "Integrate", access: "self", title: "Quick starts", Icon: Rocket, letter: "q" },
  { path: "/webhooks", group: "Integrate", access: "read", title: "Webhooks", Icon: Webhook, letter: "h" },
  { path: "/workers", group: "Integrate", access: "read", title: "Workers", Icon: Cpu, letter: "w" },
  { path: "/balance", group: "Manage", access: "billing", title: "Balance", Icon: Wallet, letter: "b" },
  { path: "/budgets", group: "Manage", access: "billing", title: "Budgets", Icon: PiggyBank },
  { path: "/members", group: "Manage", access: "manage", title: "Members", Icon: Users },
  { path: "/settings", group: "Manage", access: "self", title: "Settings", Icon: Settings, letter: "s" },
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
  { path: "/admin/samples", title: "Samples", Icon: Images },
  { path: "/admin/books", title: "Price books", Icon: BookOpen },
  { path: "/admin/providers", title: "Providers", Icon: Plug },
  { path: "/admin/workers", title: "Workers", Icon: Cpu },
  { path: "/admin/tokens", title: "API tokens", Icon: KeyRound },
  { path: "/admin/announcement", title: "Announcement", Icon: Megaphone },
  { path: "/admin/audit-log", title: "Audit log", Icon: ScrollText },
];

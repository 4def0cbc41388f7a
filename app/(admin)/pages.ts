import { Activity, Boxes, Cpu, CreditCard, type LucideIcon, Megaphone, Plug, ScrollText, Users } from "lucide-react";

interface AdminPage {
  path: string;
  title: string;
  Icon: LucideIcon;
}

/** The pages of the operator's console, in navigation order. */
export const adminPages: AdminPage[] = [
  { path: "/admin", title: "State", Icon: Activity },
  { path: "/admin/accounts", title: "Accounts", Icon: Users },
  { path: "/admin/payments", title: "Payments", Icon: CreditCard },
  { path: "/admin/catalogue", title: "Catalogue", Icon: Boxes },
  { path: "/admin/providers", title: "Providers", Icon: Plug },
  { path: "/admin/workers", title: "Workers", Icon: Cpu },
  { path: "/admin/announcement", title: "Announcement", Icon: Megaphone },
  { path: "/admin/audit-log", title: "Audit log", Icon: ScrollText },
];

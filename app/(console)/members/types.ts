import type { Role } from "@/server/context";
import type { Outputs } from "../../trpc/outputs";

export type MemberList = Outputs["members"]["list"];
export type Member = MemberList["members"][number];
export type Invitation = MemberList["invitations"][number];

/** The roles with what each may do, in the order of the menu. */
export const roleOptions: readonly { role: Role; label: string; hint: string }[] = [
  { role: "owner", label: "Owner", hint: "Everything, including members and settings" },
  { role: "billing", label: "Billing", hint: "Balance, statement, spend and budgets" },
  { role: "developer", label: "Developer", hint: "Keys, generations, files and webhooks, but no billing" },
  { role: "viewer", label: "Viewer", hint: "Read-only access to everything but billing" },
];

/** Returns the label of a role. */
export const roleLabel = (role: Role): string => roleOptions.find((option) => option.role === role)!.label;

"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import {
  BookOpen,
  Boxes,
  CircleX,
  FolderHeart,
  Keyboard,
  KeyRound,
  LogOut,
  Monitor,
  Moon,
  Search,
  Sparkles,
  Sun,
  UserPlus,
  Wallet,
  WandSparkles,
  Webhook,
} from "lucide-react";
import type { Permission } from "@/server/context";
import { useTRPC } from "../../trpc/client";
import { chooseTheme } from "../../ui/chosen-theme";
import { useDebouncedValue } from "../../ui/use-debounced-value";
import { openPanel } from "../open-panel";
import { useAccess } from "../../ui/access-context";
import { type ConsolePage, listPages } from "../pages";
import { useSignOut } from "../sign-out-button";
import { matchItems, type PaletteGroup, type PaletteItem } from "./items";

const MAX_ITEMS = 5;
const MAX_PAGES = 20;
const SEARCHABLE = /[\p{L}\p{N}]/u;

const toItem = ({ path, title, letter, Icon }: ConsolePage): PaletteItem => ({
  id: `page ${path}`,
  label: title,
  // The shortcut that leads there as well.
  hint: letter && `G ${letter.toUpperCase()}`,
  Icon,
  action: path,
});

const actions: (PaletteItem & { access?: Permission })[] = [
  { id: "run", label: "Run a model", Icon: WandSparkles, action: "/playground", access: "develop" },
  { id: "create-key", label: "Create API key", Icon: KeyRound, action: "/keys?new", access: "develop" },
  {
    id: "failed",
    label: "View failed generations",
    Icon: CircleX,
    action: "/generations?status=failed",
    access: "read",
  },
  {
    id: "invite",
    label: "Invite a member",
    keywords: "people team user",
    Icon: UserPlus,
    action: "/members?new",
    access: "manage",
  },
  {
    id: "add-credit",
    label: "Add credit",
    keywords: "top up pay payment money",
    Icon: Wallet,
    action: "/balance",
    access: "billing",
  },
  {
    id: "collections",
    label: "Open collections",
    keywords: "albums folders groups",
    Icon: FolderHeart,
    action: "/generations/collections",
    access: "read",
  },
  { id: "add-webhook", label: "Add webhook", Icon: Webhook, action: "/webhooks?new", access: "develop" },
  {
    id: "documentation",
    label: "Open documentation",
    keywords: "docs help guide manual",
    Icon: BookOpen,
    action: "/docs/quick-start",
  },
  {
    id: "reference",
    label: "Open API reference",
    keywords: "docs documentation endpoint openapi",
    Icon: BookOpen,
    action: "/docs/api",
  },
  { id: "light", label: "Use light theme", Icon: Sun, action: () => chooseTheme("light") },
  { id: "dark", label: "Use dark theme", Icon: Moon, action: () => chooseTheme("dark") },
  { id: "system", label: "Use system theme", Icon: Monitor, action: () => chooseTheme("system") },
  { id: "shortcuts", label: "Show keyboard shortcuts", Icon: Keyboard, action: () => openPanel("shortcuts") },
];

/** Returns what the palette offers for a text, without empty groups. */
export function useGroups(text: string): PaletteGroup[] {
  const trpc = useTRPC();
  const { data: models = [] } = useQuery(trpc.models.list.queryOptions());
  const { permissions } = useAccess();
  const canRead = permissions.includes("read");
  const { data: keys = [] } = useQuery({ ...trpc.generations.keys.queryOptions(), enabled: canRead });
  const generations = useGenerations(text, canRead);
  const modelItems = models.map(({ id, name }) => ({
    id: `model ${id}`,
    label: name,
    hint: id === name ? undefined : id,
    Icon: Boxes,
    action: `/models/${encodeURIComponent(id)}`,
  }));
  const keyItems = keys.map(({ id, name }) => ({
    id: `key ${id}`,
    label: name,
    hint: "Generations of this key",
    Icon: KeyRound,
    action: `/generations?key=${id}`,
  }));
  const searched = text.trim();
  const search: PaletteItem = {
    id: "search",
    label: `Search generations for “${searched}”`,
    Icon: Search,
    action: `/generations?q=${encodeURIComponent(searched)}`,
  };
  const { mutate } = useSignOut();
  const signOut: (typeof actions)[number] = { id: "sign-out", label: "Sign out", Icon: LogOut, action: () => mutate() };
  const allowed = [...actions, signOut].filter(({ access = "self" }) => permissions.includes(access));
  // Results that arrive later come last, so that Enter opens what was first in the list when it was read.
  const groups = [
    { label: "Actions", items: matchItems(allowed, text, searched === "" ? 3 : MAX_ITEMS) },
    { label: "Pages", items: matchItems(listPages(permissions).map(toItem), text, MAX_PAGES) },
    { label: "Models", items: searched === "" ? [] : matchItems(modelItems, text, MAX_ITEMS) },
    { label: "API keys", items: searched === "" ? [] : matchItems(keyItems, text, MAX_ITEMS) },
    { label: searched === "" ? "Recent generations" : "Generations", items: generations },
    { label: "Search", items: canRead && SEARCHABLE.test(searched) ? [search] : [] },
  ];
  return groups.filter(({ items }) => items.length > 0);
}

/** Returns the generations that a text finds, by words or by id; the newest ones without a text. */
function useGenerations(text: string, canRead: boolean): PaletteItem[] {
  const trpc = useTRPC();
  const settled = useDebouncedValue(text.trim());
  const hasSearch = SEARCHABLE.test(settled);
  const recent = useQuery({ ...trpc.generations.recent.queryOptions(), enabled: canRead && settled === "" });
  const found = useQuery({
    ...trpc.generations.list.queryOptions({ q: settled.slice(0, 200) }),
    enabled: canRead && hasSearch,
    placeholderData: keepPreviousData,
  });
  if ((settled === "") !== (text.trim() === "")) return [];
  const generations = (hasSearch ? found.data?.data : settled === "" ? recent.data?.data : undefined) ?? [];
  return generations.slice(0, MAX_ITEMS).map(({ id, title, model }) => ({
    id: `generation ${id}`,
    label: title ?? id,
    hint: model,
    Icon: Sparkles,
    action: `/generations/${id}`,
  }));
}

import { defineConfig } from "prisma/config";

/**
 * What the Prisma CLI reads. The hub applies its migrations by itself (server/db/migrate.ts), in the table that
 * `prisma migrate deploy` uses too. Generating the client needs no database.
 */
export default defineConfig({
  schema: "prisma/schema.prisma",
  migrations: { path: "prisma/migrations" },
  datasource: { url: process.env.DATABASE_URL },
});

/** A baseline: the smallest Next route handler. */
export const dynamic = "force-dynamic";
export const GET = () => new Response("ok");
export const POST = () => new Response("ok");

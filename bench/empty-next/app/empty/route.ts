/** The least a Next route handler can do: a baseline. */
export const dynamic = "force-dynamic";
export const GET = () => new Response("ok");
export const POST = () => new Response("ok");
